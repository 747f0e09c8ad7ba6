/// The models that one fetch brought, as keys of one entity tree.
@usableFromInline
class FetchGroup {
  /// Asked by the graph that has the map, for one of its models: a model leaves the group when it leaves the context.
  unowned(unsafe) let map: IdentityMap
  // Unchecked, because each access is over before other code runs.
  @exclusivity(unchecked) private(set) final var keys = KeySeries()
  /// How many models have the group, which is there for as long as one does: the first of them retains it, and the last
  /// releases it.
  @exclusivity(unchecked) private var modelCount = 0
  /// Where each model is among the keys; empty while they are in the order in which they were added.
  private var positions: [Int32] = []
  private var walks: [Lack: Walk] = [:]
  /// The to-many relationships whose members were read by somebody who walked there.
  private var readThrough: Set<ObjectIdentifier> = []

  init(map: IdentityMap) {
    self.map = map
  }

  /// Adds a model, and returns its place, which the model has to remember.
  @inline(__always)
  final func add(_ key: Int64) -> Int32 {
    keys.append(key)
    return Int32(truncatingIfNeeded: keys.count - 1)
  }

  /// Takes in a model, which has to call `dismiss` when it leaves, and returns its place.
  ///
  /// - Parameter place: The place, when there is one already.
  @inline(__always)
  final func admit(_ key: Int64, at place: Int32?) -> Int32 {
    if modelCount == 0 { _ = Unmanaged.passRetained(self) }
    modelCount += 1
    return place ?? add(key)
  }

  @inline(__always)
  final func dismiss() {
    modelCount -= 1
    if modelCount == 0 { Unmanaged.passUnretained(self).release() }
  }

  /// Gives the models the order that they will be walked in, as their places in the present one.
  final func reorder(_ places: [Int]) {
    var positions = [Int32](repeating: 0, count: places.count)
    for (position, place) in places.enumerated() { positions[place] = Int32(truncatingIfNeeded: position) }
    keys = KeySeries(places.lazy.map { [keys] in keys[$0] })
    self.positions = positions
  }

  /// What a walk along the models may find missing.
  enum Lack: Hashable {
    case row
    /// What a property leads to: rows of a to-one, keys of a to-many.
    case property(ObjectIdentifier)
    /// The rows of a to-many's members along with their keys.
    case members(ObjectIdentifier)
  }

  /// How many models one read ahead serves. At first it is enough to make walking a graph cheap, and few enough that
  /// touching one model of a large result does not read them all. Each time the walk goes on, it is more.
  struct Pace {
    var first: Int
    var growth: Int
    var largest: Int

    static let rows = Pace(first: 1024, growth: 8, largest: 1 << 16)

    /// For keys of members, of which a model may have `count`.
    static func keys(members count: Int) -> Pace {
      Pace(first: max(64, min(rows.first, 16 * rows.first / max(1, count))), growth: 8, largest: rows.largest)
    }

    /// For members with their rows, of which a model may have `count`.
    static func members(_ count: Int) -> Pace {
      let largest = max(1, min(1 << 14, (rows.largest << 1) / max(1, count)))
      return Pace(first: max(1, min(64, rows.first * 8 / max(1, count))), growth: 16, largest: largest)
    }
  }

  /// Where a walk will find something missing next, and how much was read last.
  private struct Walk {
    var next = 0
    var window = 0
  }

  /// The places around one that lacks something, that one among them.
  final func window(around place: Int32, for lack: Lack, at pace: Pace = .rows) -> Range<Int> {
    guard keys.indices.contains(Int(place)) else { return 0..<0 }
    let position = positions.isEmpty ? Int(place) : Int(positions[Int(place)])
    let walk = walks[lack] ?? Walk()
    let isWalking = position == walk.next
    let start = isWalking ? position : position - position % pace.first
    let size = isWalking ? min(max(pace.first, walk.window * pace.growth), pace.largest) : pace.first
    // A small rest at the end is read along.
    let end = start + size + size / 2 < keys.count ? start + size : keys.count
    walks[lack] = Walk(next: end, window: size)
    return start..<end
  }

  /// Tells that what lies before a place was read along with a window.
  final func skip(to place: Int, for lack: Lack) {
    walks[lack]?.next = place
  }

  /// Tells that somebody who walked along a to-many also reads its members.
  final func recordReading(ofMembers property: any RelationshipProperty) {
    readThrough.insert(ObjectIdentifier(property))
  }

  /// Whether the members of a to-many are wanted with their rows.
  final func isReadThrough(_ property: any RelationshipProperty) -> Bool {
    readThrough.contains(ObjectIdentifier(property))
  }

  /// The models around a place that are still in memory, the one there among them.
  final func neighbours(of place: Int32, for lack: Lack, at pace: Pace = .rows) -> [any PersistentModel] {
    keys[window(around: place, for: lack, at: pace)].compactMap { map.model($0) }
  }
}

#if DEBUG
  extension FetchGroup {
    /// What is wrong with the group, if anything is.
    ///
    /// - Parameter models: All models that have the group.
    final func brokenInvariants(_ models: [any PersistentModel]) -> [String] {
      var broken: [String] = []
      func check(_ isTrue: Bool, _ rule: String) { if !isTrue { broken.append("Fetch group: \(rule)") } }
      check(modelCount == models.count, "it counts \(modelCount) models and \(models.count) have it")
      check(positions.isEmpty || positions.count == keys.count, "\(positions.count) positions of \(keys.count) keys")
      check(positions.isEmpty || Set(positions) == Set(0..<Int32(keys.count)), "two keys have one position")
      for model in models {
        let (key, place) = model._$withState { ($0.key, Int($0.groupPosition)) }
        guard keys.indices.contains(place), positions.isEmpty || positions.indices.contains(place) else {
          check(false, "the model \(key) has the place \(place)")
          continue
        }
        let found = keys[positions.isEmpty ? place : Int(positions[place])]
        check(found == key, "the place of the model \(key) has the key \(found)")
        check(model._$withState { $0.withBinding { $0.map === map } } == true, "the model \(key) knows another map")
      }
      return broken + ((self as? MemberGroup)?.brokenSections ?? [])
    }
  }
#endif
