import Relational

/// Writes who belongs to which to-many, and in which order.
///
/// Places grow with time: a new member's place is its own key when that is enough to put it last, and a number after
/// all keys otherwise. So the order of addition survives, and inserting needs no look at the members that are there. What
/// is put first gets such a number below zero.
final class MembershipWriter {
  private let layout: StoreLayout
  private let connection: any Connection
  private let shapes: StatementShapes
  private let sequences: any KeySource
  private let keys: SaveKeys

  private struct Place: Hashable {
    let model: ObjectIdentifier
    /// The to-one of the member.
    let property: Int
  }

  /// Whose members a column refers to, and which one has their places.
  private struct Owner {
    let model: any PersistentModel
    let table: String
    let reference: String
    let position: String
  }

  /// What join tables keep.
  private var links: [(membership: SavePlan.Membership, join: PropertyLayout.JoinTable)] = []
  /// Places of inserted members that their own key would put wrong.
  private var places: [Place: Int64] = [:]
  /// Owners with members that are put first.
  private var ownersOfFirst: [Owner] = []
  private var moves: [(member: any PersistentModel, owner: Owner, place: Int64)] = []
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

  /// Whether the row of the owner is of an entity that has the relationship: an inserted model may have become a row of
  /// another one.
  private func isKept(_ membership: SavePlan.Membership) -> Bool {
    guard let row = keys.mergedRow(of: membership.owner) else { return true }
    let runtime = layout.layout(at: row.entity).runtime
    return membership.property.index < layout.layout(of: membership.owner).runtime.commonPropertyCount(with: runtime)
  }

  private func storage(of membership: SavePlan.Membership) -> PropertyLayout.Storage {
    layout.layout(of: membership.owner).properties[membership.property.index].storage
  }

  /// Finds the places of the members whose order is kept in their own row. Keys must be assigned.
  func plan(_ memberships: [SavePlan.Membership]) {
    for membership in memberships where isKept(membership) {
      let storage = storage(of: membership)
      if case .joinedMembers(let join) = storage { links.append((membership, join)) }
      guard case .referencedMembers(let table, let reference, let position) = storage,
        let inverse = membership.property.inverse(for: membership.owner)
      else { continue }
      let owner = Owner(model: membership.owner, table: table, reference: reference, position: position)
      func put(_ member: any PersistentModel, at place: Int64) {
        if keys.newKey(of: member) != nil {
          places[Place(model: ObjectIdentifier(member), property: inverse.index)] = place
        } else {
          moves.append((member, owner, place))
        }
      }
      if !membership.change.placedFirst.isEmpty { ownersOfFirst.append(owner) }
      do {
        for member in membership.change.placedFirst.reversed() {
          put(member, at: -(try sequences.nextPlace(of: table)))
        }
        var last: Int64 = 0
        for member in membership.change.placedLast {
          if let key = keys.newKey(of: member), key > last {
            last = key
          } else {
            last = try sequences.nextPlace(of: table)
            put(member, at: last)
          }
        }
      } catch {
        planError = planError ?? error
      }
    }
  }

  /// The place of an inserted row among the members that it joins.
  func position(of model: any PersistentModel, _ key: Int64, under property: Int) -> Int64 {
    if places.isEmpty { return key }
    return places[Place(model: ObjectIdentifier(model), property: property)] ?? key
  }

  func write() throws {
    if let planError { throw planError }
    for owner in ownersOfFirst {
      // A member without a position, as other programs may write it, would stay before the members that are put first now.
      guard let ownerKey = keys.key(of: owner.model) else { continue }
      let statement = shapes.firstPlaces(in: owner.table, owner.position, reference: owner.reference)
      try connection.run(statement, [.integer(0), .integer(ownerKey)])
    }
    for (member, owner, place) in moves {
      guard let key = keys.key(of: member), let ownerKey = keys.key(of: owner.model) else { continue }
      // Somebody else may have given it to another owner meanwhile, whose members are not put in order here.
      let statement = shapes.place(in: owner.table, owner.position, reference: owner.reference)
      try connection.run(statement, [.integer(place), .integer(key), .integer(ownerKey)])
    }
    // Links go before links come: an upsert can bring back one that its survivor gave up.
    for (membership, join) in links { try remove(membership, join) }
    for (membership, join) in links { try add(membership, join) }
  }

  private func remove(_ membership: SavePlan.Membership, _ join: PropertyLayout.JoinTable) throws {
    // A link to or from what is deleted may have kept it from that.
    guard let owner = keys.previousKey(of: membership.owner) else { return }
    let statement = shapes.links(join).remove
    for member in membership.change.removed {
      guard let memberKey = keys.previousKey(of: member) else { continue }
      try connection.run(statement, [.integer(owner), .integer(memberKey)])
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
      let number = try sequences.nextPlace(of: join.table)
      let place = Value.integer(isFirst ? -number : number)
      if isAllNew || added.contains(ObjectIdentifier(member)) {
        // Among the members of the other side it is the last.
        let inversePlace = join.inversePosition == nil ? [] : [Value.integer(number)]
        try connection.run(statements.add, [.integer(owner), .integer(memberKey), place] + inversePlace)
      } else {
        // What stood there before gets a place if somebody else has not removed it meanwhile.
        try connection.run(statements.move, [place, .integer(owner), .integer(memberKey)])
      }
    }
    for member in change.placedFirst.reversed() { try put(member, isFirst: true) }
    for member in change.placedLast { try put(member, isFirst: false) }
  }
}
