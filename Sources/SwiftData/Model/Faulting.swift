/// Reads what a model lacks when somebody asks for it.
enum Faulting {
  /// Makes the property at `index` readable, whatever that takes.
  static func fulfill(_ model: any PersistentModel, _ index: Int) {
    let property = ModelRuntime.of(model).properties[index]
    // Held, because what reads values may be the last to let go of it.
    if let graph = model._$withState({ $0.graph }) { graph.fulfill(model, property) }
    if !property.isLoaded(model) {
      property.fillWithDefault(model)
    }
  }

  /// Reads the model's own row, but none that it leads to.
  static func fulfill(_ model: any PersistentModel, rowOf index: Int) {
    model._$withState { $0.graph }?.readRow(of: model)
  }
}

extension PersistentModel {
  /// A model that stands for none.
  static func makePlaceholder() -> Self {
    Self(_$origin: .nowhere, row: EmptyRowReader())
  }
}
