import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Predicates evaluated by the store beside unsaved changes")
struct PendingVisitTests {
  private let log = StatementLog()
  private let context: ModelContext
  private let ofNemo = FetchDescriptor<Voyage>(predicate: #Predicate { $0.captain?.name == "Nemo" })

  init() throws {
    let container = try log.observe {
      try ModelContainer(
        for: Voyage.self, SteamVoyage.self, Captain.self, Country.self, Licence.self, Harbor.self, Crate.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    let writer = ModelContext(container)
    let captains = [Captain("Nemo"), Captain("Ahab")]
    let harbor = Harbor("North", depth: 3)
    for number in 0..<6 {
      let voyage = number == 5 ? SteamVoyage("5") : Voyage("\(number)")
      writer.insert(voyage)
      voyage.captain = captains[number % 2]
      voyage.harbors = number < 2 ? [harbor] : []
    }
    writer.insert(Licence("stored"))
    writer.insert(Country("stored"))
    try writer.save()
    context = ModelContext(container)
    _ = try context.fetchCount(FetchDescriptor<Voyage>())
  }

  /// The number of models, and whether the store counted them without the context.
  private func count(_ descriptor: FetchDescriptor<Voyage>) throws -> (count: Int, isCountedByStore: Bool) {
    var count = 0
    let queries = try log.queries { count = try context.fetchCount(descriptor) }
    return (count, queries.count == 1 && queries.allSatisfy { $0.hasPrefix("SELECT count") })
  }

  @Test("The store evaluates a predicate that does not visit an inserted model's type")
  func unrelatedInsertion() throws {
    context.insert(Crate("new", weight: 1))
    #expect(try count(ofNemo) == (3, true))
    let inHarbor = FetchDescriptor<Voyage>(predicate: #Predicate { !$0.harbors.isEmpty })
    #expect(try count(inHarbor) == (2, true))
  }

  @Test("The store evaluates a predicate that does not visit changed or deleted types")
  func unrelatedChanges() throws {
    try #require(try context.fetch(FetchDescriptor<Country>()).first).name = "changed"
    #expect(try count(ofNemo) == (3, true))
    try context.delete(model: Licence.self)
    #expect(try count(ofNemo) == (3, true))
  }

  @Test("A change of a model that the predicate visits is included")
  func visitedChange() throws {
    let ahab = try #require(try context.fetch(FetchDescriptor<Captain>()).first { $0.name == "Ahab" })
    ahab.name = "Nemo"
    #expect(try count(ofNemo) == (6, false))
    context.rollback()
    #expect(try count(ofNemo) == (3, true))
  }

  @Test("Deleting visited models counts, by model or by predicate")
  func visitedDeletion() throws {
    try context.delete(model: Harbor.self)
    let inHarbor = FetchDescriptor<Voyage>(predicate: #Predicate { !$0.harbors.isEmpty })
    #expect(try count(inHarbor) == (0, false))
    context.rollback()
    context.delete(try #require(try context.fetch(FetchDescriptor<Harbor>()).first))
    #expect(try count(inHarbor).count == 0)
  }

  @Test("A subclass of a visited type is visited too")
  func visitedSubclass() throws {
    let steamer = try #require(try context.fetch(FetchDescriptor<SteamVoyage>()).first)
    let captains = FetchDescriptor<Captain>(predicate: #Predicate { $0.voyages.contains { $0.distance == 9 } })
    #expect(try context.fetchCount(captains) == 0)
    steamer.distance = 9
    #expect(try context.fetch(captains).map(\.name) == ["Ahab"])
  }

  @Test("Unsaved models of the fetched type are added to the store's selection")
  func ownChanges() throws {
    let voyage = Voyage("new")
    context.insert(voyage)
    let nemo = try #require(try context.fetch(FetchDescriptor<Captain>()).first { $0.name == "Nemo" })
    voyage.captain = nemo
    try context.save()
    voyage.distance = 4
    var found: [String] = []
    let queries = try log.queries { found = try context.fetch(ofNemo).map(\.name) }
    #expect(found == ["0", "2", "4", "new"])
    #expect(queries.contains { $0.contains(#""captain_id" IN (SELECT"#) })
  }

  @Test("The store applies an order by other models and its limit as well")
  func order() throws {
    context.insert(Crate("new", weight: 1))
    var descriptor = FetchDescriptor<Voyage>(
      predicate: ofNemo.predicate, sortBy: [SortDescriptor(\.captain?.name), SortDescriptor(\.name)])
    descriptor.fetchLimit = 2
    var found: [String] = []
    let queries = try log.queries { found = try context.fetch(descriptor).map(\.name) }
    #expect(found == ["0", "2"])
    #expect(queries.count == 1 && queries.allSatisfy { $0.contains("LIMIT") })
  }

  @Test("The store computes sums and groups by other models as well")
  func groups() throws {
    context.insert(Crate("new", weight: 1))
    var names: [String?] = []
    let queries = try log.queries {
      names = try context.fetchGroups(by: \Voyage.captain?.name, computing: .count).map(\.key)
    }
    #expect(names == ["Ahab", "Nemo"])
    #expect(queries.count == 1 && queries.allSatisfy { $0.contains("GROUP BY") })
  }
}
