import Dispatch
import Foundation
internal import ReferenceCounts
import Support

// The last reference to a context, or to the last heir, may be released on another thread than the one that uses the
// models, as they may have been handed on before. Passing the graph on at that moment would empty relationships that
// are being read there. So the graph becomes an *orphan*, which keeps itself: the next call of the isolation passes it
// on. If no call comes, because nobody holds any of the models any more, the graph ends. Whether anybody holds them is
// found out by counting references, which changes nothing.
extension ObjectGraph {
  /// How many seconds an orphan waits before it first looks whether anybody holds its models. Each later wait is twice
  /// as long.
  private static var firstWait: Double { 0.02 }
  private static var longestWait: Double { 60 }
  /// A wait is at least this many times as long as the last look took.
  private static var leastShare: Double { 50 }

  /// Does what `settle` does, as far as it can be done while the isolation may be using models.
  func settleFromOutside() {
    if isUnsettled { untilNobodyGoes(settleOrBecomeOrphan) }
  }

  private func settleOrBecomeOrphan() {
    if canSettle { return settle() }
    if lifetime.isOrphan { return }
    lifetime.isOrphan = true
    if isMain {
      let reference = UncheckedReference(graph: self)
      DispatchQueue.main.async { reference.graph?.alone {} }
    } else if !lifetime.isWatched {
      lifetime.isWatched = true
      waitForEnd(Self.firstWait)
    }
  }

  private var hasModels: Bool {
    !journal.inserted.isEmpty || maps.contains { !$0.isEmpty }
  }

  /// Whether nobody can be reading what `settle` takes away.
  private var canSettle: Bool {
    if isMain, MainQueue.isCurrent { return true }
    // The models of an orphan may go away one by one, and looking for holders each time would take too long.
    if lifetime.isOrphan { return !hasModels }
    if !isMain, occupancy.wasMine, !hasLoadedRelationships { return true }
    return !isHeldOutside
  }

  private var hasLoadedRelationships: Bool {
    (registeredModels + journal.inserted.models).contains { model in
      var isLoaded = false
      for rule in model._$withState({ $0.binding })?.relationshipRules ?? [] where !isLoaded {
        rule.property.forEachLoadedTarget(of: model) { _ in isLoaded = true }
      }
      return isLoaded
    }
  }

  // With a shared queue, Dispatch would wake the process every second from then on.
  private static let orphans = DispatchQueue(label: "Orphans")

  private func waitForEnd(_ seconds: Double) {
    let reference = UncheckedReference(graph: self)
    Self.orphans.asyncAfter(deadline: .now() + seconds) {
      reference.graph?.endIfUnheld(afterWaiting: seconds)
    }
  }

  private func endIfUnheld(afterWaiting seconds: Double) {
    var isWaiting = true
    let start = DispatchTime.now().uptimeNanoseconds
    if occupancy.enterToClear() {
      if lifetime.isOrphan, !isHeldOutside { settle() }
      isWaiting = lifetime.isOrphan
      lifetime.isWatched = isWaiting
      occupancy.leaveCleared()
    }
    guard isWaiting else { return }
    let duration = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    waitForEnd(min(max(2 * seconds, Self.leastShare * duration), Self.longestWait))
  }

  /// Whether there are more references to the models than the graph itself has.
  var isHeldOutside: Bool {
    let models = registeredModels + journal.inserted.models
    var census = Census()
    for model in models { count(model, in: &census) }
    journal.inserted.visit { _, model in census.count(model) }
    journal.changed.visit { _, model in census.count(model) }
    journal.deleted.visit { _, model in census.count(model) }
    countDeparted(in: &census)
    return census.isAnyHeld(beside: models)
  }

  /// Counts the references that models have which have left the context, as far as nothing but unsaved changes holds
  /// these: such a model was deleted before it was ever saved, and may lead to others still.
  private func countDeparted(in census: inout Census) {
    var departed: [any PersistentModel] = []
    var addresses: [UnsafeMutableRawPointer] = []
    var known: Set<UnsafeMutableRawPointer> = []
    func add(_ target: any PersistentModel) {
      let address = Unmanaged<AnyObject>.passUnretained(target).toOpaque()
      // As in `count`.
      beginUncheckedAccess()
      let hasDeparted = target._$withState { $0.graphIdentity == nil }
      endUncheckedAccess()
      guard hasDeparted, known.insert(address).inserted else { return }
      departed.append(target)
      addresses.append(address)
    }
    // The holders are asked for their state too.
    beginUncheckedAccess()
    visitInside { add($1) }
    endUncheckedAccess()
    var left = Set(addresses.indices)
    // Each one that is counted can be all that holds another one.
    while let place = left.first(where: { !census.isHeld(addresses[$0], beside: 1) }) {
      left.remove(place)
      let count = addresses.count
      let model = departed[place]
      for property in ModelRuntime.of(model).relationships {
        property.count(property.slot(of: model), in: &census)
        property.forEachLoadedTarget(of: model, add)
      }
      left.formUnion(count..<addresses.count)
    }
  }

  private func count(_ model: any PersistentModel, in census: inout Census) {
    // It is only read, and nobody sets it meanwhile. But the thread sanitizer takes the address of a stored property for a
    // write, by this thread and by another that asks the model for its context.
    beginUncheckedAccess()
    let isChanged = journal.changed.contains(model)
    let (binding, changes) = model._$withState { ($0.binding, isChanged ? $0.changes : nil) }
    endUncheckedAccess()
    for rule in binding?.relationshipRules ?? [] {
      rule.property.count(rule.property.slot(of: model), in: &census)
      changes?.entry(rule.property.index)?.count(in: &census)
    }
  }
}
