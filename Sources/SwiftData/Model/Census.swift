internal import ReferenceCounts

/// How many references to models a graph has itself.
struct Census {
  /// By the addresses of models.
  private var models: [UnsafeMutableRawPointer: Int] = [:]
  /// By the addresses of the memory of arrays, which several arrays may share.
  private var arrays: [UnsafeMutableRawPointer: Int] = [:]
  private var states: Set<ObjectIdentifier> = []

  mutating func count(_ model: any PersistentModel) {
    models[Unmanaged<AnyObject>.passUnretained(model).toOpaque(), default: 0] += 1
  }

  mutating func count(_ state: ToManyState) {
    if states.insert(ObjectIdentifier(state)).inserted { state.count(in: &self) }
  }

  mutating func count(_ members: [AnyObject]) {
    if members.isEmpty { return }
    // An array is the address of an object that has its elements.
    let array = unsafeBitCast(members, to: UnsafeMutableRawPointer.self)
    if arrays.updateValue((arrays[array] ?? 0) + 1, forKey: array) != nil { return }
    for member in members { models[Unmanaged.passUnretained(member).toOpaque(), default: 0] += 1 }
  }

  /// Whether somebody else has a reference to the model at an address, beside some.
  func isHeld(_ model: UnsafeMutableRawPointer, beside count: Int) -> Bool {
    swift_retainCount(model) > (models[model] ?? 0) + count
  }

  /// Whether somebody else has a reference to one of the models, or to an array of some.
  ///
  /// - Parameter held: The models, with one more reference to each.
  func isAnyHeld(beside held: [any PersistentModel]) -> Bool {
    if arrays.contains(where: { swift_retainCount($0.key) > $0.value }) { return true }
    return withExtendedLifetime(held) {
      held.map { Unmanaged<AnyObject>.passUnretained($0).toOpaque() }
        .contains { swift_retainCount($0) > (models[$0] ?? 0) + 1 }
    }
  }
}
