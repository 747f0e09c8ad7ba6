import Relational

/// Writes the members of to-many relationships, and their order.
///
/// Positions grow with time: the position of a new member is its own key when that makes it the last one, and otherwise a
/// number greater than all keys. So members stay in the order of their addition, and an insertion reads no other members.
/// A member inserted at the beginning gets the negative of such a number.
final class MembershipWriter {
  private let layout: StoreLayout
  private let connection: any Connection
  private let shapes: StatementShapes
  private let sequences: any KeySource
  private let keys: SaveKeys

  private struct Member: Hashable {
    let model: ObjectIdentifier
    /// The to-one of the member that refers to the owner.
    let property: Int
  }

  /// The owner of members, with the columns of the members that have their owner and position.
  private struct Owner {
    let model: any PersistentModel
    let table: String
    let reference: String
    let position: String
  }

  /// The changed links in join tables.
  private var links: [(membership: SavePlan.Membership, join: PropertyLayout.JoinTable)] = []
  /// The positions of inserted members whose own key would be the wrong one.
  private var positions: [Member: Int64] = [:]
  /// The owners with members inserted at the beginning.
  private var ownersOfFirst: [Owner] = []
  private var moves: [(member: any PersistentModel, owner: Owner, position: Int64)] = []
  private var planError: (any Error)?

  init(
    layout: StoreLayout, connection: any Connection, shapes: StatementShapes, sequences: any KeySource, keys: SaveKeys
  ) {
    self.keys = keys
    self.layout = layout
    self.connection = connection
    self.shapes = shapes
    self.sequences = sequences
  }

  /// Whether the row of the owner has the relationship: an upsert may have merged an inserted model into a row of another
  /// entity.
  private func isKept(_ membership: SavePlan.Membership) -> Bool {
    guard let row = keys.mergedRow(of: membership.owner) else { return true }
    let runtime = layout.layout(at: row.entity).runtime
    return membership.property.index < layout.layout(of: membership.owner).runtime.commonPropertyCount(with: runtime)
  }

  private func storage(of membership: SavePlan.Membership) -> PropertyLayout.Storage {
    layout.layout(of: membership.owner).properties[membership.property.index].storage
  }

  /// Finds the positions of members whose own row has them. Keys must be assigned.
  func plan(_ memberships: [SavePlan.Membership]) {
    for membership in memberships where isKept(membership) {
      let storage = storage(of: membership)
      if case .joinedMembers(let join) = storage { links.append((membership, join)) }
      guard case .referencedMembers(let table, let reference, let position) = storage,
        let inverse = membership.property.inverse(for: membership.owner)
      else { continue }
      let owner = Owner(model: membership.owner, table: table, reference: reference, position: position)
      func put(_ member: any PersistentModel, at position: Int64) {
        if keys.newKey(of: member) != nil {
          positions[Member(model: ObjectIdentifier(member), property: inverse.index)] = position
        } else {
          moves.append((member, owner, position))
        }
      }
      if !membership.change.placedFirst.isEmpty { ownersOfFirst.append(owner) }
      do {
        for member in membership.change.placedFirst.reversed() {
          put(member, at: -(try sequences.nextPosition(of: table)))
        }
        var last: Int64 = 0
        for member in membership.change.placedLast {
          if let key = keys.newKey(of: member), key > last {
            last = key
          } else {
            last = try sequences.nextPosition(of: table)
            put(member, at: last)
          }
        }
      } catch {
        planError = planError ?? error
      }
    }
  }

  /// The position of an inserted row among the members of its owner.
  func position(of model: any PersistentModel, _ key: Int64, under property: Int) -> Int64 {
    if positions.isEmpty { return key }
    return positions[Member(model: ObjectIdentifier(model), property: property)] ?? key
  }

  func write() throws {
    if let planError { throw planError }
    for owner in ownersOfFirst {
      // A member with a null position, as other programs may write it, would stay before the members inserted at the beginning.
      guard let ownerKey = keys.key(of: owner.model) else { continue }
      let statement = shapes.clearedPositions(in: owner.table, owner.position, reference: owner.reference)
      try connection.send(statement, [.integer(0), .integer(ownerKey)])
    }
    for (member, owner, position) in moves {
      guard let key = keys.key(of: member), let ownerKey = keys.key(of: owner.model) else { continue }
      // Another context may have moved the member to another owner meanwhile; the statement then changes nothing.
      let statement = shapes.position(in: owner.table, owner.position, reference: owner.reference)
      try connection.send(statement, [.integer(position), .integer(key), .integer(ownerKey)])
    }
    // Removals precede additions: an upsert can add a link that its surviving row has lost.
    for (membership, join) in links { try remove(membership, join) }
    for (membership, join) in links { try add(membership, join) }
  }

  private func remove(_ membership: SavePlan.Membership, _ join: PropertyLayout.JoinTable) throws {
    // A link to or from a deleted model may still be in the database.
    guard let owner = keys.previousKey(of: membership.owner) else { return }
    let statement = shapes.links(join).remove
    for member in membership.change.removed {
      guard let memberKey = keys.previousKey(of: member) else { continue }
      try connection.send(statement, [.integer(owner), .integer(memberKey)])
    }
  }

  private func add(_ membership: SavePlan.Membership, _ join: PropertyLayout.JoinTable) throws {
    guard let owner = keys.key(of: membership.owner) else { return }
    sequences.joins.insert(join.table)
    let statements = shapes.links(join)
    let change = membership.change
    let isAllNew = change.added.count == change.placedFirst.count + change.placedLast.count
    let added = isAllNew ? [] : Set(change.added.map { ObjectIdentifier($0) })
    func put(_ member: any PersistentModel, isFirst: Bool) throws {
      guard let memberKey = keys.key(of: member) else { return }
      let number = try sequences.nextPosition(of: join.table)
      let position = Value.integer(isFirst ? -number : number)
      if isAllNew || added.contains(ObjectIdentifier(member)) {
        // It is the last member of the inverse.
        let inversePosition = join.inversePosition == nil ? [] : [Value.integer(number)]
        try connection.send(statements.add, [.integer(owner), .integer(memberKey), position] + inversePosition)
      } else {
        // An existing link is moved, unless another context has removed it meanwhile.
        try connection.send(statements.move, [position, .integer(owner), .integer(memberKey)])
      }
    }
    for member in change.placedFirst.reversed() { try put(member, isFirst: true) }
    for member in change.placedLast { try put(member, isFirst: false) }
  }
}
