/// How one property is stored.
struct PropertyLayout {
  enum Storage {
    case attribute(ColumnCoding, columns: [String], isExternal: Bool)
    /// The value is not stored.
    case ephemeral
    /// The key of the target is in the entity's own table. `position` orders the models with the same target.
    case reference(column: String, position: String?)
    /// A to-one whose key is in the table of the target.
    case inverseReference(table: String, column: String)
    /// A to-many whose members have the key of their owner in their table.
    case referencedMembers(table: String, column: String, position: String)
    /// A to-many whose pairs of keys are in a join table.
    case joinedMembers(JoinTable)
  }

  /// A join table, seen from one side.
  struct JoinTable: Hashable {
    var table: String
    var owner: String
    var member: String
    /// The position of the member among those of its owner.
    var position: String
    /// The position for the inverse, if there is one.
    var inversePosition: String?
  }

  var name: String
  var index: Int
  var storage: Storage
  /// The entity at the other end of a relationship.
  var destination: String?
  var isOptional: Bool

  /// The column that may have the name of a file.
  var externalColumn: String? {
    if case .attribute(_, let columns, isExternal: true) = storage { columns.first } else { nil }
  }

  /// Whether a column of the property has a foreign key.
  var isReference: Bool {
    if case .reference = storage { true } else { false }
  }

  var isToOne: Bool {
    switch storage {
    case .reference, .inverseReference: true
    case .attribute, .ephemeral, .referencedMembers, .joinedMembers: false
    }
  }

  /// The columns of the value in the entity's own table.
  var writtenColumns: [String] {
    switch storage {
    case .attribute(_, let columns, _): columns
    case .reference(let column, _): [column]
    case .ephemeral, .inverseReference, .referencedMembers, .joinedMembers: []
    }
  }
}
