import Foundation

#if !canImport(Darwin) && !FoundationValueTransformer
  final class NegateBooleanTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass {
      NSNumber.self
    }

    override func transformedValue(_ value: Any?) -> Any? {
      let isTrue = (value as? Bool) ?? (value as? NSNumber)?.boolValue ?? false
      return !isTrue
    }
  }

  class IsNilTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass {
      NSNumber.self
    }

    override class func allowsReverseTransformation() -> Bool {
      false
    }

    override func transformedValue(_ value: Any?) -> Any? {
      value == nil
    }
  }

  final class IsNotNilTransformer: IsNilTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
      value != nil
    }
  }
#endif
