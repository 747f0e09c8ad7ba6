#if !canImport(Darwin)
  import Foundation
  import Synchronization

  /// The name that a value transformer is registered under.
  public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public init(_ rawValue: String) {
      self.rawValue = rawValue
    }
  }

  /// Turns values into others, and back where it can: a stand-in for the class that Foundation has on Apple's systems.
  ///
  /// Subclasses override ``transformedValue(_:)`` and ``reverseTransformedValue(_:)``. A transformer may be called from
  /// any thread, and must not keep state that changes.
  open class ValueTransformer: @unchecked Sendable {
    public required init() {}

    private static let registry = Mutex<[NSValueTransformerName: ValueTransformer]>([:])

    /// Registers `transformer` under a name, or takes the name back when it is nil.
    public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
      registry.withLock { $0[name] = transformer }
    }

    /// The names that transformers are registered under.
    public class func valueTransformerNames() -> [NSValueTransformerName] {
      registry.withLock { Array($0.keys) }
    }

    /// The transformer that is registered under a name.
    ///
    /// It stands in for the failable initialiser of Apple's class: a Swift initialiser cannot return another object.
    public class func transformer(forName name: NSValueTransformerName) -> ValueTransformer? {
      registry.withLock { $0[name] }
    }

    /// The class of the transformed values.
    open class func transformedValueClass() -> AnyClass {
      NSObject.self
    }

    /// Whether ``reverseTransformedValue(_:)`` works. The default is true.
    open class func allowsReverseTransformation() -> Bool {
      true
    }

    /// The transformed form of `value`; the value itself unless a subclass says otherwise.
    open func transformedValue(_ value: Any?) -> Any? {
      value
    }

    /// The value that has the transformed form `value`.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
      Self.allowsReverseTransformation() ? transformedValue(value) : nil
    }
  }
#endif
