import Foundation
import FoundationSupplements

/// Which `ValueTransformer` an attribute goes through: a class, or a name that somebody registers.
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

  /// The transformer; `nil` when the name is registered nowhere.
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

  /// What the store keeps for `value`; `nil` when the transformer gives no data.
  func data(for value: Any) -> Data? {
    guard let transformer else { return nil }
    let output =
      transformer is NSSecureUnarchiveFromDataTransformer
      ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
    return (output as? Data) ?? (output as? NSData).map { Data(referencing: $0) }
  }

  /// The value that `data` was made from; `nil` when the transformer cannot tell.
  func value(for data: Data) -> Any? {
    guard let transformer else { return nil }
    if transformer is NSSecureUnarchiveFromDataTransformer { return transformer.transformedValue(data) }
    // A file may have data of an attribute whose transformer does not go back, which must not be asked to.
    guard Swift.type(of: transformer).allowsReverseTransformation() else { return nil }
    return transformer.reverseTransformedValue(data)
  }
}
