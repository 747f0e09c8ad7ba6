/// Members of a to-many after a change of it was undone.
enum RestoredMembers {
  /// - Parameters:
  ///   - present: The members now.
  ///   - added: Who came by the change.
  ///   - removed: Who went, with the places before, in ascending order.
  static func members(
    _ present: [any PersistentModel], without added: [any PersistentModel],
    with removed: [(place: Int, model: any PersistentModel)]
  ) -> [any PersistentModel] {
    let known = Set((added + removed.map(\.model)).map { ObjectIdentifier($0) })
    var others = present.filter { !known.contains(ObjectIdentifier($0)) }.makeIterator()
    var members: [any PersistentModel] = []
    for (place, model) in removed {
      while members.count < place, let next = others.next() { members.append(next) }
      members.append(model)
    }
    while let next = others.next() { members.append(next) }
    return members
  }

  /// - Parameters:
  ///   - before: The members before the change.
  ///   - after: The members after it.
  ///   - present: The members now, with what others have changed since.
  static func members(
    _ before: [any PersistentModel], _ after: [any PersistentModel], present: [any PersistentModel]
  ) -> [any PersistentModel] {
    func identities(_ models: [any PersistentModel]) -> [ObjectIdentifier] { models.map { ObjectIdentifier($0) } }
    if identities(present) == identities(after) { return before }
    let (former, later) = (Set(identities(before)), Set(identities(after)))
    let isMoved =
      identities(before.filter { later.contains(ObjectIdentifier($0)) })
      != identities(after.filter { former.contains(ObjectIdentifier($0)) })
    var members = present.filter { former.contains(ObjectIdentifier($0)) || !later.contains(ObjectIdentifier($0)) }
    var known = Set(identities(members))
    // What had gone comes back behind the one that stood before it.
    for (index, model) in before.enumerated() where !later.contains(ObjectIdentifier(model)) {
      guard known.insert(ObjectIdentifier(model)).inserted else { continue }
      let neighbour = before[..<index].last { known.contains(ObjectIdentifier($0)) }
      let place = neighbour.flatMap { neighbour in members.firstIndex { $0 === neighbour } }
      members.insert(model, at: place.map { $0 + 1 } ?? 0)
    }
    if !isMoved { return members }
    // Those of before stand where any of them stands, in their order.
    var ordered = before.filter { known.contains(ObjectIdentifier($0)) }.makeIterator()
    return members.map { former.contains(ObjectIdentifier($0)) ? ordered.next() ?? $0 : $0 }
  }
}
