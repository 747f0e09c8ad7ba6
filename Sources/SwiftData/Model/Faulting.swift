/// Reads what a model lacks when somebody asks for it.
enum Faulting {
  /// Makes the property at `index` readable, whatever that takes.
  static func fulfill(_ model: any PersistentModel, _ index: Int) {
    let context = model._$withState { $0.context }
    let properties = ModelRuntime.of(model).properties
    let property = properties[index]
    if let context {
      context.fulfill(model, property)
    }
    if !property.isLoaded(model) {
      property.fillWithDefault(model)
    }
  }

  /// Reads the model's own row, but none that it leads to.
  static func fulfill(_ model: any PersistentModel, rowOf index: Int) {
    model._$withState { $0.context }?.readRow(of: model)
  }
}

/// The models that one fetch brought, as keys of one entity tree.
final class FetchGroup {
  unowned(unsafe) let map: IdentityMap
  @exclusivity(unchecked) private var keys: [Int64] = []

  init(map: IdentityMap) {
    self.map = map
  }

  /// Adds a model, and returns its place, which the model has to remember.
  func add(_ key: Int64) -> Int32 {
    keys.append(key)
    return Int32(truncatingIfNeeded: keys.count - 1)
  }

  /// How many models a fault reads at first: enough to make walking a graph cheap, and few enough that touching one
  /// model of a large result does not read them all. Whoever walks on from there is read ahead of, further each time.
  static let window = 1024
  private static let largestWindow = window << 6

  /// Where somebody who walks through the group will lack something next, and how much is to be read then.
  private var walk = (next: 0, window: 0)

  /// The models around the place of one that are still in memory, that one among them.
  func neighbours(of place: Int32) -> [any PersistentModel] {
    let position = Int(place)
    guard keys.indices.contains(position) else { return [] }
    let isWalking = position == walk.next
    let start = isWalking ? position : position - position % Self.window
    let window = isWalking ? min(max(Self.window, walk.window * 4), Self.largestWindow) : Self.window
    let end = min(start + window, keys.count)
    walk = (end, window)
    return keys[start..<end].compactMap { map.model($0) }
  }
}

extension PersistentModel {
  /// A model that stands for none.
  static func makePlaceholder() -> Self {
    Self(_$origin: .nowhere, row: EmptyRowReader.make())
  }
}
