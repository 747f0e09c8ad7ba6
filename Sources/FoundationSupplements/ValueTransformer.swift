#if !canImport(Darwin) && !FoundationValueTransformer
  public import Foundation
  import Support

  /// Turns values of one kind into values of another, and back if it supports that.
  ///
  /// Foundation has this class on Apple's systems only. A subclass overrides
  ///
  /// - ``transformedValueClass()`` to name the class of its results,
  /// - ``allowsReverseTransformation()`` to return whether it can convert a result back,
  /// - ``transformedValue(_:)`` and ``reverseTransformedValue(_:)`` to do the work.
  ///
  /// A transformer that is registered under a name is called from any thread, so it should hold no mutable state.
  open class ValueTransformer: NSObject {
    /// Makes a transformer.
    ///
    /// The initializer is `required`, because an attribute may name a transformer by its class only, and an instance is
    /// then made with this initializer. A subclass that declares it has to write `required` in place of `override`.
    public required override init() {
      super.init()
    }

    /// Finds the transformer that is registered under a name.
    ///
    /// When no transformer is registered under the name, but the name is that of a subclass of ``ValueTransformer``,
    /// written `Module.Class`, an instance of that class is made and registered under the name.
    ///
    /// - Parameter name: The name under which the transformer is registered.
    /// - Returns: `nil` when no transformer is found, or when the one that is found is not an instance of the class
    ///   that this initializer is called on.
    public convenience init?(forName name: NSValueTransformerName) {
      guard let transformer = Self.registered(name) as? Self else { return nil }
      self.init(replacedBy: transformer)
    }

    private static let registry = Registry()

    private static func registered(_ name: NSValueTransformerName) -> ValueTransformer? {
      if let known = registry.transformer(name) { return known }
      guard let type = NSClassFromString(name.rawValue) as? ValueTransformer.Type else { return nil }
      let made = type.init()
      setValueTransformer(made, forName: name)
      return made
    }

    /// Registers a transformer under a name, or removes the name when `transformer` is `nil`.
    open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
      registry.register(transformer, name)
    }

    /// The names under which transformers are registered, in no particular order.
    open class func valueTransformerNames() -> [NSValueTransformerName] {
      registry.names
    }

    /// The class of the transformed values.
    ///
    /// The default implementation returns `NSObject`, which stands for any class.
    open class func transformedValueClass() -> AnyClass {
      NSObject.self
    }

    /// Whether the transformer supports ``reverseTransformedValue(_:)``.
    ///
    /// The default implementation returns `true`.
    open class func allowsReverseTransformation() -> Bool {
      true
    }

    /// Transforms a value.
    ///
    /// The default implementation returns `value` unchanged.
    open func transformedValue(_ value: Any?) -> Any? {
      value
    }

    /// Makes the value that ``transformedValue(_:)`` turns into `value`.
    ///
    /// The default implementation calls ``transformedValue(_:)``, which is right for a transformation that undoes
    /// itself, such as negation. It stops the program when ``allowsReverseTransformation()`` returns `false`.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
      precondition(Self.allowsReverseTransformation(), "\(Self.self) does not allow reverse transformation")
      return transformedValue(value)
    }
  }

  /// The transformers of the process, by name.
  private final class Registry: Sendable {
    // A transformer is not Sendable as a type; sharing registered ones is what their documentation promises.
    private struct Shared: @unchecked Sendable {
      let transformer: ValueTransformer
    }

    private let transformers = Mutex<[NSValueTransformerName: Shared]>([
      .negateBooleanTransformerName: Shared(transformer: NegateBooleanTransformer()),
      .isNilTransformerName: Shared(transformer: IsNilTransformer()),
      .isNotNilTransformerName: Shared(transformer: IsNotNilTransformer()),
      .secureUnarchiveFromDataTransformerName: Shared(transformer: NSSecureUnarchiveFromDataTransformer()),
    ])

    func transformer(_ name: NSValueTransformerName) -> ValueTransformer? {
      transformers.withLock { $0[name] }?.transformer
    }

    func register(_ transformer: ValueTransformer?, _ name: NSValueTransformerName) {
      let shared = transformer.map(Shared.init)
      transformers.withLock { $0[name] = shared }
    }

    var names: [NSValueTransformerName] {
      transformers.withLock { Array($0.keys) }
    }
  }

  /// Lets an initializer of a class return an existing instance: only an initializer in a protocol extension may assign to
  /// `self`.
  private protocol Replaceable {}

  extension Replaceable {
    fileprivate init(replacedBy instance: Self) {
      self = instance
    }
  }

  extension ValueTransformer: Replaceable {}
#endif
