extension PersistentModel {
  /// The context that the model belongs to; nil before it is inserted, and after its deletion was saved.
  ///
  /// When that context is gone, a new one for the same models is made. Hold it as long as you work with it: it discards
  /// what it was told itself when it is released.
  public var modelContext: ModelContext? {
    _$withState { $0.graph }?.context
  }
}
