public import Foundation

#if !canImport(Darwin)
  import Support

  /// Turns values of one kind into values of another, and back where it can.
  ///
  /// Foundation has this class on Apple's systems only. A subclass says what it makes in ``transformedValueClass()``,
  /// whether it can go back in ``allowsReverseTransformation()``, and does the work in ``transformedValue(_:)`` and
  /// ``reverseTransformedValue(_:)``.
  ///
  /// A transformer that is registered under a name is called from any thread, so it should hold no mutable state.
  open class ValueTransformer: NSObject {
    /// Makes a transformer. It is `required` because attributes name transformers by their class, and need an instance;
    /// a subclass that writes this initialiser has to say `required` in place of `override`.
    public required override init() {
      super.init()
    }

    /// Gives the transformer that is registered under the name.
    ///
    /// Unless one is, a class of that name serves, as `Module.Class`; an instance is made and registered.
    ///
    /// - Returns: `nil` when there is none, or when it is no instance of the class that the initialiser is called on.
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

    /// Registers a transformer under a name, or takes the name out of use when `transformer` is `nil`.
    open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
      registry.register(transformer, name)
    }

    /// The names in use, in no particular order.
    open class func valueTransformerNames() -> [NSValueTransformerName] {
      registry.names
    }

    /// The class of the values that the transformer makes. This one says that they are of any class.
    open class func transformedValueClass() -> AnyClass {
      NSObject.self
    }

    /// Whether the transformer goes back. This one says that it does.
    open class func allowsReverseTransformation() -> Bool {
      true
    }

    /// Makes the transformed value. This one gives `value` as it is.
    open func transformedValue(_ value: Any?) -> Any? {
      value
    }

    /// Makes the value that ``transformedValue(_:)`` turns into `value`. This one calls ``transformedValue(_:)``, which is
    /// right for transformations that undo themselves. It is a precondition that ``allowsReverseTransformation()`` says
    /// that there are such.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
      precondition(Self.allowsReverseTransformation(), "\(Self.self) does not go back")
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

  /// Lets an initialiser of a class give an instance that exists already: only one in a protocol's extension may assign
  /// to `self`.
  private protocol Replaceable {}

  extension Replaceable {
    fileprivate init(replacedBy instance: Self) {
      self = instance
    }
  }

  extension ValueTransformer: Replaceable {}
#endif
