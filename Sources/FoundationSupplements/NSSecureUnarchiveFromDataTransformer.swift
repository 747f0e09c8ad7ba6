import Foundation

#if !canImport(Darwin)
  /// Turns archives into the objects that they hold, and objects into archives, for classes that it names.
  ///
  /// Subclasses extend ``allowedTopLevelClasses``. An archive of another class gives `nil`, and so does one with an
  /// object of another class in an array, a dictionary or a set, one with a class that is not made for secure coding,
  /// and data that is no archive. What objects of a subclass's own classes hold is up to their `init(coder:)`.
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
      guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return nil }
      // All classes are known to be made for secure coding. If the unarchiver looked after that, an object that a class
      // does not expect in its own would stop the process.
      unarchiver.requiresSecureCoding = false
      unarchiver.decodingFailurePolicy = .setErrorAndReturn
      defer { unarchiver.finishDecoding() }
      guard let object = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSObject,
        classes.contains(where: object.isKind(of:))
      else { return nil }
      return object
    }

    /// An archive of the object `value`; `nil` when reading it back would be refused.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
      guard let value, let object = (value as AnyObject) as? NSObject, object is any NSSecureCoding,
        Self.allowedTopLevelClasses.contains(where: object.isKind(of:))
      else { return nil }
      guard let data = try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true),
        KeyedArchive(data)?.canBeOpened(allowing: Self.allowedTopLevelClasses) == true
      else { return nil }
      return data
    }
  }
#endif
