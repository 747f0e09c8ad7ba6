/// How one property is kept.
struct PropertyLayout {
  enum Storage {
    case attribute(ColumnCoding, columns: [String], isExternal: Bool)
    /// The value is not kept.
    case ephemeral
    /// The key of the target stands in the entity's own table. `position` orders the models that share a target.
    case reference(column: String, position: String?)
    /// A to-one whose key stands in the table of the target.
    case inverseReference(table: String, column: String)
    /// A to-many whose members have the key of their owner in their table.
    case referencedMembers(table: String, column: String, position: String)
    /// A to-many whose pairs of keys stand in a table of their own.
    case joinedMembers(JoinTable)
  }

  /// The pairs of a to-many, seen from one side.
  struct JoinTable: Hashable {
    var table: String
    var owner: String
    var member: String
    /// The place of the member among those of its owner.
    var position: String
    /// The same for the other side, when the relationship has one.
    var inversePosition: String?
  }

  var name: String
  var index: Int
  var storage: Storage
  /// The entity at the other end of a relationship.
  var destination: String?
  var isOptional: Bool

  /// The column that may lead to a file, when the property has one.
  var externalColumn: String? {
    if case .attribute(_, let columns, isExternal: true) = storage { columns.first } else { nil }
  }

  /// Whether a column of the property holds a key that the database checks.
  var isReference: Bool {
    if case .reference = storage { true } else { false }
  }

  var isToOne: Bool {
    switch storage {
    case .reference, .inverseReference: true
    case .attribute, .ephemeral, .referencedMembers, .joinedMembers: false
    }
  }

  /// The columns of the entity's own table that hold the value.
  var writtenColumns: [String] {
    switch storage {
    case .attribute(_, let columns, _): columns
    case .reference(let column, _): [column]
    case .ephemeral, .inverseReference, .referencedMembers, .joinedMembers: []
    }
  }
}
