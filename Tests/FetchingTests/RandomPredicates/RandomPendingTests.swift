import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// Random predicates, orders and pages over a context with unsaved changes. `OSD_PREDICATES` and `OSD_PREDICATE_SEED` apply
/// here too: one case for each four predicates.
@Suite("Random fetches with unsaved changes")
struct RandomPendingTests {
  private static let count = TestOptions.predicates / 4
  private static let seed = TestOptions.predicateSeed
  /// How many fetches share a store and its changes.
  private static let batch = 50

  @Test("A random fetch equals filtering and sorting the live or stored models in Swift")
  func answers() throws {
    var complaints: [String] = []
    for start in stride(from: 0, to: Self.count, by: Self.batch) where complaints.count < 10 {
      let changes = try PendingChanges(seed: UInt64(Self.seed + start))
      for index in start..<min(start + Self.batch, Self.count) where complaints.count < 10 {
        let (descriptor, complaint) = Self.complaint(about: changes, seed: UInt64(Self.seed + index))
        guard let complaint else { continue }
        let shape = descriptor.predicate.map { PredicateDescription.shape(of: $0.expression) } ?? "all"
        complaints.append("\(index), store \(start): \(complaint): \(shape), \(descriptor.sortBy)")
      }
    }
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
  }

  private static func complaint(
    about changes: PendingChanges, seed: UInt64
  ) -> (descriptor: FetchDescriptor<Voyage>, complaint: String?) {
    let descriptor = changes.descriptor(seed: seed)
    do {
      return (descriptor, try changes.complaint(about: descriptor))
    } catch {
      return (descriptor, "\(error)")
    }
  }
}

/// A context with unsaved changes of all kinds, with the models as after a save and as stored.
struct PendingChanges {
  private let fleet: RandomFleet
  private let context: ModelContext
  /// Retains the stored models.
  private let reader: ModelContext
  /// Both in the order of a fetch without sort descriptors.
  private let live: [Voyage]
  private let stored: [Voyage]

  init(seed: UInt64) throws {
    fleet = try RandomFleet(seed: seed, size: 24)
    let context = ModelContext(fleet.container)
    self.context = context
    reader = ModelContext(fleet.container)
    stored = try reader.fetch(FetchDescriptor<Voyage>())
    var source = ValueSource(SeededGenerator(seed: seed &+ 1))
    let voyages = try context.fetch(FetchDescriptor<Voyage>())
    if source.flag() { try Self.changeOthers(context, voyages, &source) }
    let captains = try context.fetch(FetchDescriptor<Captain>())
    let harbors = try context.fetch(FetchDescriptor<Harbor>())
    var deleted = Set<PersistentIdentifier>()
    for voyage in voyages {
      switch Int.random(in: 0..<8, using: &source.random) {
      case 0:
        context.delete(voyage)
        deleted.insert(voyage.persistentModelID)
      case 1: source.fill(voyage)
      case 2: voyage.name = source.text()
      case 3: voyage.distance = source.pick(RandomFleet.integers)
      case 4: voyage.captain = source.maybe { $0.pick(captains) }
      default: break
      }
    }
    let inserted = (0..<source.pick([0, 1, 5])).map { number in
      let voyage = number % 3 == 2 ? SteamVoyage(source.text()) : Voyage(source.text())
      context.insert(voyage)
      source.fill(voyage)
      voyage.captain = source.maybe { $0.pick(captains) }
      voyage.harbors = harbors.filter { _ in source.flag(1, of: 3) }
      return voyage
    }
    live = voyages.filter { !deleted.contains($0.persistentModelID) } + inserted
  }

  private static func changeOthers(
    _ context: ModelContext, _ voyages: [Voyage], _ source: inout ValueSource
  ) throws {
    // Not all of them at once, so that predicates visit changed and unchanged models.
    if source.flag() {
      for (index, captain) in try context.fetch(FetchDescriptor<Captain>()).enumerated() {
        if index == 0 { context.delete(captain) } else if index < 3 { captain.name = source.text() }
      }
    }
    if source.flag() {
      for harbor in try context.fetch(FetchDescriptor<Harbor>()).prefix(2) {
        harbor.depth = source.pick(RandomFleet.smallIntegers)
        harbor.voyages = voyages.filter { _ in source.flag(1, of: 4) }
      }
    }
    if source.flag() {
      let captain = Captain(source.text())
      context.insert(captain)
      for voyage in voyages.prefix(3) { voyage.captain = captain }
    }
    if source.flag(1, of: 4), let country = try context.fetch(FetchDescriptor<Country>()).first {
      if source.flag() { context.delete(country) } else { country.name = source.text() }
    }
    if source.flag(1, of: 4) { try context.delete(model: Licence.self) }
    for voyage in source.flag() ? voyages.suffix(3) : [] {
      let crate = Crate(source.text(), weight: source.pick(RandomFleet.reals))
      context.insert(crate)
      crate.voyage = voyage
    }
  }

  func descriptor(seed: UInt64) -> FetchDescriptor<Voyage> {
    var source = ValueSource(SeededGenerator(seed: ~seed))
    var descriptor = FetchDescriptor<Voyage>()
    if source.flag(4, of: 5) { descriptor.predicate = PredicateGenerator.predicate(fleet, seed: seed) }
    descriptor.sortBy = (0..<source.pick([0, 1, 1, 2])).map { _ in source.pick(SortTests.pendingSorts) }
    descriptor.fetchLimit = source.maybe { $0.pick([0, 1, 3, 10, 100]) }
    descriptor.fetchOffset = source.maybe { $0.pick([0, 1, 4, 30]) }
    return descriptor
  }

  /// The first difference, or nil; also nil when Swift cannot evaluate the predicate for a model.
  func complaint(about descriptor: FetchDescriptor<Voyage>) throws -> String? {
    if let complaint = try complaint(about: descriptor, over: live, "pending") { return complaint }
    var descriptor = descriptor
    descriptor.includePendingChanges = false
    return try complaint(about: descriptor, over: stored, "stored")
  }

  private func complaint(
    about descriptor: FetchDescriptor<Voyage>, over models: [Voyage], _ kind: String
  ) throws -> String? {
    var matching = models
    if let predicate = descriptor.predicate {
      do { matching = try models.filter(predicate.evaluate) } catch { return nil }
    }
    let binding = try context.graph.requireBinding(for: Voyage.self)
    let order = FetchOrder(descriptor.sortBy) { binding.session.ordersTextsAsWritten(at: $0, of: binding.entity) }
    let sorted = matching.enumerated().sorted { left, right in
      switch order.compare(left.element, right.element) {
      case .orderedAscending: true
      case .orderedDescending: false
      case .orderedSame: left.offset < right.offset
      }
    }
    let rest = sorted.map(\.element.persistentModelID).dropFirst(descriptor.fetchOffset ?? 0)
    let expected = Array(rest.prefix(descriptor.limit ?? .max))
    let found = try context.fetch(descriptor).map(\.persistentModelID)
    if found != expected { return "\(kind): a fetch gives \(found.map(\.id.key)), not \(expected.map(\.id.key))" }
    if try context.fetchCount(descriptor) != expected.count { return "\(kind): the count differs" }
    if try context.fetchIdentifiers(descriptor) != expected { return "\(kind): the identifiers differ" }
    return nil
  }
}
