/// What has changed in a context since its live queries were brought up to date.
struct LiveChanges {
  /// By the position of the entity in the schema: the properties that have other values, as `_ModelState.dirty` has them.
  private(set) var properties: [Int: UInt64] = [:]
  /// The entities of which models came or went.
  private(set) var otherMembers: Set<Int> = []
  private(set) var isAnything = false

  var isEmpty: Bool { properties.isEmpty && otherMembers.isEmpty && !isAnything }

  mutating func add(_ bits: UInt64, of entity: Int) {
    if bits != 0 { properties[entity, default: 0] |= bits }
  }

  mutating func addOtherMembers(of entity: Int) {
    otherMembers.insert(entity)
  }

  mutating func addAnything() {
    isAnything = true
  }

  mutating func add(_ other: LiveChanges) {
    properties.merge(other.properties) { $0 | $1 }
    otherMembers.formUnion(other.otherMembers)
    if other.isAnything { isAnything = true }
  }
}
