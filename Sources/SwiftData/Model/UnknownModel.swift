/// A model for a row of an entity that the schema does not have: a separate class without properties.
final class UnknownModel: PersistentModel {
  private var state = _ModelState()

  init(_$origin origin: _ModelOrigin, row: borrowing _RowReader) {
    state.begin(origin)
  }

  init(backingData: any BackingData<UnknownModel>) {}

  var persistentBackingData: any BackingData<UnknownModel> {
    get { ModelBackingData(of: self) }
    set {}
  }

  static var schemaMetadata: [Schema.PropertyMetadata] { [] }

  var _$statePointer: UnsafeMutablePointer<_ModelState> {
    withUnsafeMutablePointer(to: &state) { $0 }
  }

  func _$load(_ row: _RowReader) {}
  func _$store(_ row: _RowWriter) {}
}
