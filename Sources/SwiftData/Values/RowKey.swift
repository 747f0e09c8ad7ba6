/// A row's key and the entity that the row really has, which may be a subentity of the one asked for.
struct RowKey: Hashable {
  var key: Int64
  /// The position of the entity in the schema's list of entities.
  var entity: Int
}
