extension PersistentModel {
  /// A model without a row.
  static func makePlaceholder() -> Self {
    let placeholder = Self(_$origin: .nowhere, row: EmptyRowReader())
    placeholder._$withState { $0.isFault = true }
    return placeholder
  }
}
