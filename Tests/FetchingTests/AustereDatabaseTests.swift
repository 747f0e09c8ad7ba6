import FaultyDriver
import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Model
final class Ticket {
  @Attribute(.unique) var place: Int
  @Attribute(.externalStorage) var print: Data?
  var holder: String

  init(_ place: Int, _ holder: String) {
    self.place = place
    self.holder = holder
  }
}

@Suite("The relational store over a driver with the minimal features")
struct AustereDatabaseTests {
  private func austere<Result>(_ body: () throws -> Result) rethrows -> Result {
    try DatabaseInterception.$wrap.withValue(AustereDatabase.wrap, operation: body)
  }

  @Test("Every attribute type is saved and updated", arguments: SampledModels.names)
  func attributes(name: String) throws {
    let folder = try TemporaryFolder()
    func check<Model: SampledModel>(_ type: Model.Type) throws {
      let container = try austere { try type.makeContainer(at: folder.file()) }
      let context = ModelContext(container)
      for model in type.makeSamples() { context.insert(model) }
      try context.save()
      let other = container.freshContext()
      let models = try type.all(in: other)
      type.expectSamples(models, "in another context")
      let samples = type.makeSamples()
      for (model, sample) in zip(models, samples.reversed()) {
        let number = model.number
        model.take(sample)
        model.number = number
      }
      try other.save()
      for (model, sample) in zip(models, samples) { model.take(sample) }
      try other.save()
      type.expectSamples(try type.all(in: container.freshContext()), "after updates")
    }
    let type = try #require(SampledModels.all[name])
    try check(type)
  }

  @Test("Predicates select the same models as in Swift")
  func predicates() throws {
    let fleet = try austere { try Fleet() }
    let context = ModelContext(fleet.container)
    let all = try context.fetch(FetchDescriptor<Voyage>())
    #expect(all.count == Fleet.texts.count)
    for example in PredicateCase.all {
      let predicate = example.predicate(fleet)
      let expected = try all.filter { try predicate.evaluate($0) }.map(\.persistentModelID)
      let fresh = ModelContext(fleet.container)
      let fetched = try fresh.fetch(FetchDescriptor(predicate: predicate)).map(\.persistentModelID)
      #expect(fetched == expected, "\(example)")
      #expect(try fresh.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count, "\(example)")
    }
  }

  @Test("Random predicates select the same models as in Swift")
  func randomPredicates() throws {
    let fleet = try austere { try RandomFleet(seed: 20_261_123, size: 24) }
    let oracle = try PredicateOracle(fleet.container)
    for index in 0..<300 {
      let predicate = PredicateGenerator.predicate(fleet, seed: UInt64(20_261_123 + index))
      let complaint = try oracle.complaint(about: predicate)
      #expect(complaint == nil, "\(index): \(PredicateDescription.shape(of: predicate.expression))")
    }
  }

  @Test("Aggregates equal those computed in Swift")
  func aggregates() throws {
    let container = try austere { try SaleSamples.makeContainer() }
    let sales = try container.freshContext().fetch(FetchDescriptor<Sale>())
    for example in AggregateCase.all { try example.check(container.freshContext(), FetchDescriptor(), sales) }
  }

  @Test("Prefetched relationships have the same members as faults")
  func prefetching() throws {
    let fleet = try austere { try RandomFleet(seed: 7, size: 60) }
    var descriptor = FetchDescriptor<Voyage>()
    let touched = try ModelContext(fleet.container).fetch(descriptor)
    descriptor.relationshipKeyPathsForPrefetching = [\.captain, \.harbors, \.crates]
    let prefetched = try ModelContext(fleet.container).fetch(descriptor)
    func members(_ voyage: Voyage) -> [[PersistentIdentifier]] {
      [
        [voyage.captain].compactMap(\.?.persistentModelID), voyage.harbors.map(\.persistentModelID),
        (voyage.crates ?? []).map(\.persistentModelID),
      ]
    }
    #expect(touched.map(members) == prefetched.map(members))
    #expect(touched.contains { !$0.harbors.isEmpty } && touched.contains { $0.crates?.isEmpty == false })
  }

  @Test("A removed property is restored with its values")
  func migration() throws {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: folder.file())
    func open(_ types: [any PersistentModel.Type]) throws -> ModelContainer {
      try austere { try ModelContainer(for: Schema(types), configurations: configuration) }
    }
    let full: [any PersistentModel.Type] = [FullParcels.Parcel.self, FullParcels.Depot.self, FullParcels.Seal.self]
    let context = ModelContext(try open(full))
    let parcel = FullParcels.Parcel(1, label: "first")
    parcel.marks = ["a", "b"]
    parcel.seals = [FullParcels.Seal("x")]
    context.insert(parcel)
    try context.save()
    _ = try open([BareParcels.Parcel.self, BareParcels.Depot.self, BareParcels.Seal.self])
    let returned = try ModelContext(open(full)).only(FullParcels.Parcel.self)
    #expect(returned.label == "first")
    #expect(returned.marks == ["a", "b"])
    #expect(returned.seals.map(\.word) == ["x"])
  }

  @Test("Saved models exchange their unique values", arguments: [2, 3, 7])
  func exchange(count: Int) throws {
    let container = try makeTickets(count)
    let context = ModelContext(container)
    let tickets = try context.fetch(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.place)]))
    for ticket in tickets { ticket.place = (ticket.place + 1) % count }
    try context.save()
    try expectHolders((0..<count).map { "\(($0 + count - 1) % count)" }, in: container)
  }

  @Test("A unique value passes to an inserted model while its earlier owner gets a new one")
  func chain() throws {
    let container = try makeTickets(3)
    let context = ModelContext(container)
    let tickets = try context.fetch(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.place)]))
    for ticket in tickets { ticket.place += 1 }
    context.insert(Ticket(0, "new"))
    try context.save()
    try expectHolders(["new", "0", "1", "2"], in: container)
  }

  @Test("An update that repeats a unique value fails, and nothing of the save is kept")
  func clash() throws {
    let folder = try TemporaryFolder()
    let container = try makeTickets(3, at: folder.file())
    let context = ModelContext(container)
    let tickets = try context.fetch(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.place)]))
    tickets[0].place = 2
    tickets[1].place = 5
    tickets[1].print = Data(count: 1 << 20)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    try expectHolders(["0", "1", "2"], in: container)
    let files = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
    #expect(!files.contains { UUID(uuidString: ($0 as NSString).lastPathComponent) != nil })
    tickets[0].place = 1
    try context.save()
    let left = try container.freshContext().fetch(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.place)]))
    #expect(left.map(\.holder) == ["0", "2", "1"])
    #expect(left.last?.print?.count == 1 << 20)
  }

  private func makeTickets(_ count: Int, at url: URL? = nil) throws -> ModelContainer {
    let configuration = url.map { ModelConfiguration(url: $0) } ?? ModelConfiguration(isStoredInMemoryOnly: true)
    let container = try austere { try ModelContainer(for: Ticket.self, configurations: configuration) }
    let context = ModelContext(container)
    for place in 0..<count { context.insert(Ticket(place, "\(place)")) }
    try context.save()
    return container
  }

  private func expectHolders(_ holders: [String], in container: ModelContainer) throws {
    let tickets = try container.freshContext().fetch(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.place)]))
    #expect(tickets.map(\.holder) == holders)
    #expect(tickets.map(\.place) == Array(0..<holders.count))
  }
}
