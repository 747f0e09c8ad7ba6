extension PersistentModel {
  /// The context that the model belongs to; nil before it is inserted, and after its deletion was saved.
  public var modelContext: ModelContext? {
    _$withState { $0.graph }?.context
  }
}
