import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Predicates over long stored collections")
struct LongListTests {
  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Voyage.self, SteamVoyage.self, Captain.self, Country.self, Licence.self, Harbor.self, Crate.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.allowsInMemoryEvaluation = false
    context.autosaveEnabled = false
    let voyage = Voyage("Argo")
    voyage.words = (0..<100_000).map { "word \($0)" } + ["last\0"]
    voyage.stops = (0..<20_000).map { Berth(pier: "pier \($0)", number: $0) } + [Berth(pier: "\0", number: -1)]
    voyage.ranks = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("rank \($0)", $0) } + [("\\\0", 20_000)])
    voyage.numbers = Array(0..<100_000)
    context.insert(voyage)
    let other = Voyage("Beagle")
    other.words = ["other"]
    context.insert(other)
    try context.save()
  }

  private func names(_ predicate: Predicate<Voyage>) throws -> [String] {
    var descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])
    descriptor.propertiesToFetch = [\.name]
    return try context.fetch(descriptor).map(\.name)
  }

  // Searching for each element from the beginning of its collection would take hours.
  @Test("A predicate reads each collection once", .timeLimit(.minutes(10)))
  func elements() throws {
    let (last, other) = ("last\0", "other")
    #expect(try names(#Predicate { $0.words.contains { $0.starts(with: "last") } }) == ["Argo"])
    #expect(try names(#Predicate { $0.words.contains(last) }) == ["Argo"])
    #expect(try names(#Predicate { $0.words.contains("last") }).isEmpty)
    #expect(try names(#Predicate { $0.words.allSatisfy { $0 != last } }) == ["Beagle"])
    #expect(try names(#Predicate { $0.words.filter { $0 == last || $0 == other }.count == 1 }) == ["Argo", "Beagle"])
    #expect(try names(#Predicate { $0.words.count > 100_000 && $0.words[100_000] == last }) == ["Argo"])
    #expect(try names(#Predicate { $0.words.min() == last }) == ["Argo"])
    #expect(try names(#Predicate { $0.numbers.contains(99_999) }) == ["Argo"])
    #expect(try names(#Predicate { $0.stops.contains { $0.pier == "\0" && $0.number < 0 } }) == ["Argo"])
    #expect(try names(#Predicate { $0.ranks["\\\0"] == 20_000 }) == ["Argo"])
  }
}
