extension PersistentModel {
  /// The context that the model belongs to; nil before it is inserted, and after its deletion was saved.
  ///
  /// If that context was released, the property makes a new one for the same models. Retain it while you use it: its
  /// release discards unsaved changes that were made with it.
  public var modelContext: ModelContext? {
    _$withState { $0.graph }?.context
  }
}
