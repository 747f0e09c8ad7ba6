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
      toOnes = properties.reduce(0) { $1.isToOne ? $0 | _ModelState.bit($1.index) : $0 }
      recordedNames = properties.map { ($0.index, PackedWriter.bytes(ofText: $0.name)) }
    }
  }
  /// The properties that the entity's own table has columns of, as `_ModelState.dirty` has them.
  private(set) var writtenProperties: UInt64 = 0
  /// Those of them that are a one-to-one's: no two rows lead to the same target.
  private(set) var exclusiveReferences: UInt64 = 0
  /// Those that lead to one row at most, wherever the key of that is kept.
  private(set) var toOnes: UInt64 = 0

  /// What the entity is called in records of the history.
  let recordedName: [UInt8]
  /// The same of the properties, by themselves because there is much more to copy of a property.
  private(set) var recordedNames: [(index: Int, bytes: [UInt8])] = []

  // The layout of the store holds all of them; here they would hold each other for ever.
  private struct Kin {
    unowned let layout: EntityLayout
  }

  init(entity: Schema.Entity, ordinal: Int, runtime: ModelRuntime, root: EntityLayout?, table: String) {
    self.entity = entity
    self.ordinal = ordinal
    self.runtime = runtime
    self.table = table
    recordedName = PackedWriter.bytes(ofText: entity.name)
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
    // Where the inverse is a to-many, its members have positions. The schema says it, as to ask a class for its inverse
    // takes a schema of that class, and all that it leads to, for each one.
    guard case .reference(_, position: nil) = property.storage else { return false }
    return entity.relationship(named: property.name)?.inverseName != nil
  }

  func property(named name: String) -> PropertyLayout? {
    properties.first { $0.name == name }
  }

  /// The columns that may lead to files.
  var externalColumns: [String] {
    properties.compactMap(\.externalColumn)
  }
}
