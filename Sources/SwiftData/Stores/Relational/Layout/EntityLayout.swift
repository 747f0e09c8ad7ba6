import Relational

/// How one entity is stored: its table, and the columns of each property.
final class EntityLayout {
  let entity: Schema.Entity
  let ordinal: Int
  let runtime: ModelRuntime
  /// Nil for a root. Unowned like all layouts, which the store's layout retains.
  private unowned let parentRoot: EntityLayout?
  let table: String
  /// The column that names the entity of a row, if several entities share the table.
  var typeColumn: String?
  private var members: [Member] = []
  /// The properties, by their index in the model's runtime.
  var properties: [PropertyLayout] = [] {
    didSet {
      writtenProperties = properties.reduce(0) {
        $1.writtenColumns.isEmpty ? $0 : $0 | _ModelState.bit($1.index)
      }
      exclusiveReferences = properties.reduce(0) { isExclusive($1) ? $0 | _ModelState.bit($1.index) : $0 }
      toOnes = properties.reduce(0) { $1.isToOne ? $0 | _ModelState.bit($1.index) : $0 }
      recordedNames = properties.map { ($0.index, PackedWriter.bytes(ofText: $0.name)) }
    }
  }
  /// The properties with columns in the entity's own table, as bits of `_ModelState.dirty`.
  private(set) var writtenProperties: UInt64 = 0
  /// The one-to-ones among them: no two rows refer to the same target.
  private(set) var exclusiveReferences: UInt64 = 0
  /// The to-ones, whichever row has the key.
  private(set) var toOnes: UInt64 = 0

  /// The name of the entity in records of the history.
  let recordedName: [UInt8]
  /// The names of the properties in records, separate because a property is more expensive to copy.
  private(set) var recordedNames: [(index: Int, bytes: [UInt8])] = []

  // Unowned, because layouts would retain each other; the layout of the store retains all of them.
  private struct Member {
    unowned let layout: EntityLayout
  }

  init(entity: Schema.Entity, ordinal: Int, runtime: ModelRuntime, root: EntityLayout?, table: String) {
    self.entity = entity
    self.ordinal = ordinal
    self.runtime = runtime
    self.table = table
    recordedName = PackedWriter.bytes(ofText: entity.name)
    parentRoot = root
  }

  /// The layout of the root entity, whose table all subentities share.
  var root: EntityLayout {
    parentRoot ?? self
  }

  /// This entity and its subentities.
  var family: [EntityLayout] {
    members.map(\.layout)
  }

  func setFamily(_ family: [EntityLayout]) {
    members = family.map { Member(layout: $0) }
  }

  /// Whether the table may have rows of entities outside the family.
  var needsTypeCondition: Bool {
    root !== self
  }

  private func isExclusive(_ property: PropertyLayout) -> Bool {
    // If the inverse is a to-many, its members have positions. The schema is used, because a class would need a schema of
    // its own, with all its destinations, to answer for its inverse.
    guard case .reference(_, position: nil) = property.storage else { return false }
    return entity.relationship(named: property.name)?.inverseName != nil
  }

  func property(named name: String) -> PropertyLayout? {
    properties.first { $0.name == name }
  }

  /// The columns that may have names of files.
  var externalColumns: [String] {
    properties.compactMap(\.externalColumn)
  }
}
