extension FallbackValues {
  /// A fallback value where there is none.
  ///
  /// It is a precondition that one can be found: a constructed one, a value that the process has stored or read, or a value
  /// of any row of `model` in its store.
  static func value<Value>(
    of type: Value.Type, for model: (any PersistentModel.Type)? = nil, _ graph: ObjectGraph? = nil
  ) -> Value {
    if let value = Placeholder.value(of: type) ?? recorded(type) { return value }
    if let model, let graph {
      seek(model, graph)
      if let value = recorded(type) { return value }
    }
    preconditionFailure(
      "A value of \(type) was read where there is none, and no value of that type was ever stored, made or read")
  }

  /// Reads any row of the model's entity. Decoding it records sample values.
  private static func seek<Model: PersistentModel>(_ type: Model.Type, _ graph: ObjectGraph) {
    var descriptor = FetchDescriptor<Model>()
    descriptor.fetchLimit = 1
    guard let session = graph.binding(for: type)?.session else { return }
    graph.exclusively {
      _ = graph.attempt("reading any \(type)") {
        let plan = try session.plan(descriptor, for: .rows, allowsResidue: false)
        try plan.rows(FetchRestriction()) { row, reader in _ = graph.receive(row, reader, nil) }
      }
    }
  }

  /// Prepares for making a model without a row that has constants whose type has no constructed value.
  static func prepare(_ runtime: ModelRuntime, _ graph: ObjectGraph) {
    if runtime.properties.contains(where: { $0.isConstant && $0.needsFallbackValue }) { seek(runtime.type, graph) }
  }
}
