import Foundation
import Support

/// One value of each type that has no placeholder, as its stored form: an enum whose own decoding refuses whatever is
/// made up, say. It stands in where a row is gone.
enum Specimens {
  /// Makes a new value each time, so that no two places share one. Types, data and transformers do not change.
  private struct Maker: @unchecked Sendable {
    let make: () -> Any?
  }

  private static let makers = Mutex<[ObjectIdentifier: Maker]>([:])

  /// A value of the type where there is none, the most harmless one that is to be found.
  ///
  /// It is a precondition that one can be found: by making it up, among the values that the process has stored or read,
  /// or among the rows of `model` in its store.
  static func placeholder<Value>(
    of type: Value.Type, for model: (any PersistentModel.Type)? = nil, _ graph: ObjectGraph? = nil
  ) -> Value {
    if let value = Placeholder.value(of: type) ?? kept(type) { return value }
    if let model, let graph {
      seek(model, graph)
      if let value = kept(type) { return value }
    }
    preconditionFailure(
      "A value of \(type) was read where there is none, and no value of that type was ever stored, made or read")
  }

  /// Keeps a value if it is the first of its type.
  static func keep<Value>(_ value: Value) {
    guard isNew(Value.self), let encodable = value as? any Encodable, let type = Value.self as? any Decodable.Type,
      let data = try? StoredJSON.makeEncoder().encode(encodable)
    else { return }
    let maker = Maker { try? StoredJSON.makeDecoder().decode(type, from: data) }
    makers.withLock { $0[ObjectIdentifier(Value.self)] = maker }
  }

  /// Keeps what a transformer made of a value if it is the first of its type.
  static func keep<Value>(_ type: Value.Type, _ data: Data, _ transformer: TransformerReference) {
    guard isNew(type) else { return }
    makers.withLock { $0[ObjectIdentifier(type)] = Maker { transformer.value(for: data) } }
  }

  private static func isNew(_ type: Any.Type) -> Bool {
    makers.withLock { $0[ObjectIdentifier(type)] == nil }
  }

  private static func kept<Value>(_ type: Value.Type) -> Value? {
    makers.withLock { $0[ObjectIdentifier(type)] }?.make() as? Value
  }

  /// Reads some row of the model's; its values are kept on the way.
  private static func seek<Model: PersistentModel>(_ type: Model.Type, _ graph: ObjectGraph) {
    var descriptor = FetchDescriptor<Model>()
    descriptor.fetchLimit = 1
    guard let session = graph.binding(for: type)?.session else { return }
    graph.alone {
      _ = graph.attempt("reading any \(type)") {
        try session.fetch(descriptor, FetchRestriction()) { row, reader in _ = graph.receive(row, reader, nil) }
      }
    }
  }

  /// Gets ready for making a model that has no row and constants that nothing made up can stand in for.
  static func prepare(_ runtime: ModelRuntime, _ graph: ObjectGraph) {
    if runtime.properties.contains(where: { $0.isConstant && $0.needsSpecimen }) { seek(runtime.type, graph) }
  }
}
