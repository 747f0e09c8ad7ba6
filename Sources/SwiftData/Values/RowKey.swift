/// A row's key and its actual entity, which may be a subentity of the requested one.
struct RowKey: Hashable {
  var key: Int64
  /// The position of the entity in the schema's list of entities.
  var entity: Int
}
