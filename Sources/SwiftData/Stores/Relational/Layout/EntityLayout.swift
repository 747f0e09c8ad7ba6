import Relational

/// How one entity is kept: which table, and which columns for each property.
final class EntityLayout {
  let entity: Schema.Entity
  let ordinal: Int
  let runtime: ModelRuntime
  /// As all layouts, held by that of the store.
  private unowned let higher: EntityLayout?
  let table: String
  /// The column that names the entity of a row, when several entities share the table.
  var typeColumn: String?
  private var kin: [Kin] = []
  /// By the index of the property in the model's runtime.
  var properties: [PropertyLayout] = [] {
    didSet {
      writtenProperties = properties.reduce(0) {
        $1.writtenColumns.isEmpty ? $0 : $0 | _ModelState.bit($1.index)
      }
      exclusiveReferences = properties.reduce(0) { isExclusive($1) ? $0 | _ModelState.bit($1.index) : $0 }
    }
  }
  /// The properties that the entity's own table has columns of, as `_ModelState.dirty` has them.
  private(set) var writtenProperties: UInt64 = 0
  /// Those of them that are a one-to-one's: no two rows lead to the same target.
  private(set) var exclusiveReferences: UInt64 = 0

  // The layout of the store holds all of them; here they would hold each other for ever.
  private struct Kin {
    unowned let layout: EntityLayout
  }

  init(entity: Schema.Entity, ordinal: Int, runtime: ModelRuntime, root: EntityLayout?, table: String) {
    self.entity = entity
    self.ordinal = ordinal
    self.runtime = runtime
    self.table = table
    higher = root
  }

  /// The layout of the entity at the top of the inheritance; all share its table.
  var root: EntityLayout {
    higher ?? self
  }

  /// This entity and those that inherit from it.
  var family: [EntityLayout] {
    kin.map(\.layout)
  }

  func setFamily(_ family: [EntityLayout]) {
    kin = family.map { Kin(layout: $0) }
  }

  /// Whether a row of the table may belong to an entity that is none of this one's family.
  var needsTypeCondition: Bool {
    root !== self
  }

  private func isExclusive(_ property: PropertyLayout) -> Bool {
    guard case .reference = property.storage, let relationship = runtime.properties[property.index].relationship else {
      return false
    }
    return runtime.inverse(of: relationship)?.isToMany == false
  }

  func property(named name: String) -> PropertyLayout? {
    properties.first { $0.name == name }
  }

  /// The columns that may lead to files.
  var externalColumns: [String] {
    properties.compactMap(\.externalColumn)
  }
}

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
}

extension PropertyLayout {
  /// The columns of the entity's own table that hold the value.
  var writtenColumns: [String] {
    switch storage {
    case .attribute(_, let columns, _): columns
    case .reference(let column, _): [column]
    case .ephemeral, .inverseReference, .referencedMembers, .joinedMembers: []
    }
  }
}
