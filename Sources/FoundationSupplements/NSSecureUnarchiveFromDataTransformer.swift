import Foundation

#if !canImport(Darwin) && !FoundationValueTransformer
  /// Reads an object from a keyed archive, and writes an object to one, for a list of allowed classes.
  ///
  /// A subclass overrides ``allowedTopLevelClasses`` to allow other classes. Reading returns `nil` when the data is not an
  /// archive, or when the archive contains
  ///
  /// - an object at the top of a class that is not allowed,
  /// - an array, a dictionary or a set with an object of a class that is not allowed,
  /// - an object of a class that does not support secure coding,
  /// - an object that contains itself, or objects nested more than 512 levels deep.
  ///
  /// The `init(coder:)` of a subclass's own classes decides which objects they may contain.
  open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes that are allowed for the object at the top of an archive, and for the elements of collections in it.
    open class var allowedTopLevelClasses: [AnyClass] {
      [
        NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self,
        NSUUID.self, NSNull.self,
      ]
    }

    /// `NSObject`: an archive may contain an object of any class.
    open override class func transformedValueClass() -> AnyClass {
      NSObject.self
    }

    /// `true`: an object can be written to an archive.
    open override class func allowsReverseTransformation() -> Bool {
      true
    }

    /// The object in the archive `value`, which is `Data`; `nil` when the archive is refused.
    open override func transformedValue(_ value: Any?) -> Any? {
      let classes = Self.allowedTopLevelClasses
      guard let data = value as? Data, let archive = KeyedArchive(data), archive.canBeOpened(allowing: classes) else {
        return nil
      }
      guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return nil }
      // All classes in the archive support secure coding. If the unarchiver checked that, an unexpected object inside another
      // one would stop the process.
      unarchiver.requiresSecureCoding = false
      unarchiver.decodingFailurePolicy = .setErrorAndReturn
      defer { unarchiver.finishDecoding() }
      guard let object = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSObject,
        classes.contains(where: object.isKind(of:))
      else { return nil }
      return object
    }

    /// An archive of the object `value` as `Data`; `nil` when reading the archive would be refused.
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
