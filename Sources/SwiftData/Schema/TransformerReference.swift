import Foundation
import FoundationSupplements

/// The `ValueTransformer` of an attribute: a class, or the name of a registered transformer.
struct TransformerReference: Sendable {
  let name: String
  private let type: ValueTransformer.Type?

  init(_ type: ValueTransformer.Type) {
    name = String(reflecting: type)
    self.type = type
  }

  init(name: String) {
    self.name = name
    type = nil
  }

  /// The transformer; `nil` when the name is not registered.
  var transformer: ValueTransformer? {
    if let registered = ValueTransformer(forName: NSValueTransformerName(rawValue: name)) { return registered }
    #if FoundationValueTransformer
      // The initializer of Foundation's class is not `required`.
      return nil
    #else
      return type.map { type in
        let made = type.init()
        ValueTransformer.setValueTransformer(made, forName: NSValueTransformerName(rawValue: name))
        return made
      }
    #endif
  }

  /// The data that the store keeps for `value`; `nil` when the transformer gives none.
  func data(for value: Any) -> Data? {
    guard let transformer else { return nil }
    let output =
      transformer is NSSecureUnarchiveFromDataTransformer
      ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
    return (output as? Data) ?? (output as? NSData).map { Data(referencing: $0) }
  }

  /// The value that `data` was made from; `nil` when the transformer has no reverse transformation.
  func value(for data: Data) -> Any? {
    guard let transformer else { return nil }
    if transformer is NSSecureUnarchiveFromDataTransformer { return transformer.transformedValue(data) }
    // `reverseTransformedValue` must not be called on a transformer that does not allow it.
    guard Swift.type(of: transformer).allowsReverseTransformation() else { return nil }
    return transformer.reverseTransformedValue(data)
  }
}
