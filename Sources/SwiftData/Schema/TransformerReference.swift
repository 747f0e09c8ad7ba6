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
    let name = NSValueTransformerName(rawValue: name)
    if let registered = ValueTransformer.transformer(forName: name) { return registered }
    guard let made = type?.init() else { return nil }
    ValueTransformer.setValueTransformer(made, forName: name)
    return made
  }

  /// What the store keeps for `value`; `nil` when the transformer gives no data.
  func data(for value: Any) -> Data? {
    let output = transformer?.transformedValue(value)
    return output as? Data ?? (output as? NSData).map { Data(referencing: $0) }
  }

  /// The value that `data` was made from; `nil` when the transformer cannot tell.
  func value(for data: Data) -> Any? {
    transformer?.reverseTransformedValue(data)
  }
}
