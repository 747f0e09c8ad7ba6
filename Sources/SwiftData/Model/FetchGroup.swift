/// The models that one fetch brought, as keys of one entity tree.
class FetchGroup {
  unowned(unsafe) let map: IdentityMap
  @exclusivity(unchecked) private(set) final var keys: [Int64] = []
  /// Where each model is among the keys; empty while they are in the order in which they were added.
  private var positions: [Int32] = []
  /// For each property that somebody walks along, and for the rows.
  private var walks: [Int: Walk] = [:]

  init(map: IdentityMap) {
    self.map = map
  }

  /// Adds a model, and returns its place, which the model has to remember.
  final func add(_ key: Int64) -> Int32 {
    keys.append(key)
    return Int32(truncatingIfNeeded: keys.count - 1)
  }

  /// Gives the models the order that they will be walked in, as their places in the present one.
  final func reorder(_ places: [Int]) {
    var positions = [Int32](repeating: 0, count: places.count)
    for (position, place) in places.enumerated() { positions[place] = Int32(truncatingIfNeeded: position) }
    keys = places.map { keys[$0] }
    self.positions = positions
  }

  /// How many models a fault reads at first: enough to make walking a graph cheap, and few enough that touching one
  /// model of a large result does not read them all. Whoever walks on from there is read ahead of, further each time.
  private static let window = 1024
  private static let largestWindow = window << 6

  /// Where somebody who walks will lack something next, and how much is to be read then.
  private struct Walk {
    var next = 0
    var window = 0
  }

  /// The places around one that lacks something, that one among them.
  ///
  /// - Parameter property: The index of the property that is lacking; nil for the row.
  final func window(around place: Int32, for property: Int?) -> Range<Int> {
    guard keys.indices.contains(Int(place)) else { return 0..<0 }
    let position = positions.isEmpty ? Int(place) : Int(positions[Int(place)])
    let walk = walks[property ?? -1] ?? Walk()
    let isWalking = position == walk.next
    let start = isWalking ? position : position - position % Self.window
    let size = isWalking ? min(max(Self.window, walk.window * 8), Self.largestWindow) : Self.window
    // What little is left then comes along.
    let end = start + size + size / 2 < keys.count ? start + size : keys.count
    walks[property ?? -1] = Walk(next: end, window: size)
    return start..<end
  }

  /// Tells that what lies before a place was read along with a window.
  final func skip(to place: Int, for property: Int?) {
    walks[property ?? -1]?.next = place
  }

  /// The models around a place that are still in memory, the one there among them.
  final func neighbours(of place: Int32, for property: Int?) -> [any PersistentModel] {
    keys[window(around: place, for: property)].compactMap { map.model($0) }
  }
}
