import Foundation

#if !canImport(Darwin)
  /// Turns archives into the objects that they hold, and objects into archives, for classes that it names.
  ///
  /// Subclasses extend ``allowedTopLevelClasses``. An archive of another class, or with an object of another class in
  /// it, gives `nil`, and so does data that is no archive.
  open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes that the object at the top of an archive may have.
    open class var allowedTopLevelClasses: [AnyClass] {
      [
        NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self,
        NSUUID.self, NSNull.self,
      ]
    }

    /// The class of the objects in the archives: any.
    open override class func transformedValueClass() -> AnyClass {
      NSObject.self
    }

    /// `true`: objects go back into archives.
    open override class func allowsReverseTransformation() -> Bool {
      true
    }

    /// The object in the archive `value`.
    open override func transformedValue(_ value: Any?) -> Any? {
      let classes = Self.allowedTopLevelClasses
      guard let data = value as? Data, let archive = KeyedArchive(data), archive.canBeOpened(allowing: classes) else {
        return nil
      }
      return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    }

    /// An archive of the object `value`; `nil` when reading it back would be refused.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
      guard let value, let object = (value as AnyObject) as? NSObject, object is any NSSecureCoding,
        Self.allowedTopLevelClasses.contains(where: object.isKind(of:))
      else { return nil }
      return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }
  }
#endif
