import Foundation
import FoundationSupplements
import SwiftDataPostgres
import SwiftDataTesting
import TestSupport
import Testing

@testable import SwiftData

@Model
final class Harbor {
  @Attribute(.unique) var name: String
  var opened: Date
  var isOpen: Bool
  var fee: Decimal
  var code: UUID
  @Relationship(deleteRule: .cascade, inverse: \Vessel.harbor) var vessels: [Vessel] = []

  init(name: String, opened: Date = .now, isOpen: Bool = true, fee: Decimal = 12.5, code: UUID = UUID()) {
    self.name = name
    self.opened = opened
    self.isOpen = isOpen
    self.fee = fee
    self.code = code
  }
}

@Model
final class Vessel {
  var name: String
  var tags: [String]
  var length: Double
  var harbor: Harbor?

  init(name: String, tags: [String] = [], length: Double = 1, harbor: Harbor? = nil) {
    self.name = name
    self.tags = tags
    self.length = length
    self.harbor = harbor
  }
}

@Suite("Opening stores on a server", .needsServer)
struct OpeningTests {
  static func configuration() -> PostgresConfiguration {
    PostgresConfiguration(url: PostgresTests.url ?? "", namespace: "opening_\(UUID().uuidString.prefix(8))")
  }

  @Test("Saved models are there in another container")
  func saved() throws {
    let configuration = Self.configuration()
    let code = UUID()
    do {
      let container = try ModelContainer(for: Harbor.self, configurations: configuration)
      let context = ModelContext(container)
      let harbor = Harbor(name: "Kiel", opened: Date(timeIntervalSinceReferenceDate: 1.25), code: code)
      context.insert(harbor)
      for number in 0..<10 {
        context.insert(Vessel(name: "Vessel \(number)", tags: ["a", "\0"], length: Double(number), harbor: harbor))
      }
      try context.save()
      try container.close()
    }
    let container = try ModelContainer(for: Harbor.self, configurations: configuration)
    let context = ModelContext(container)
    let harbor = try #require(
      try context.fetch(FetchDescriptor<Harbor>(predicate: #Predicate { $0.name == "Kiel" })).first)
    #expect(harbor.code == code)
    #expect(harbor.fee == 12.5)
    #expect(harbor.isOpen)
    #expect(harbor.opened == Date(timeIntervalSinceReferenceDate: 1.25))
    #expect(harbor.vessels.map(\.name) == (0..<10).map { "Vessel \($0)" })
    #expect(harbor.vessels.first?.tags == ["a", "\0"])
    let long = FetchDescriptor<Vessel>(
      predicate: #Predicate { $0.length > 4 && $0.harbor?.isOpen == true },
      sortBy: [SortDescriptor(\.name, order: .reverse)])
    #expect(try context.fetch(long).map(\.length) == [9, 8, 7, 6, 5])
  }

  @Test("The server evaluates ordinary predicates and orders, and a fetch that needs Swift can be refused")
  func evaluation() throws {
    let container = try ModelContainer(for: Harbor.self, configurations: Self.configuration())
    // The hook of the tests lets all fetches be evaluated in memory.
    try DatabaseServerInterception.$isOff.withValue(true) {
      let context = ModelContext(container)
      let harbor = Harbor(name: "Kiel", opened: Date(timeIntervalSinceReferenceDate: 1))
      context.insert(harbor)
      for (number, name) in ["Älva", "alva", "Berta"].enumerated() {
        context.insert(Vessel(name: name, length: Double(number), harbor: number == 2 ? nil : harbor))
      }
      try context.save()
      context.allowsInMemoryEvaluation = false

      let (names, day, code) = (["alva", "Berta"], Date(timeIntervalSinceReferenceDate: 2), harbor.code)
      let vessels: [(Predicate<Vessel>, [Double])] = [
        (#Predicate { $0.length >= 1 && $0.length < 2 }, [1]), (#Predicate { $0.length + 1 == 3 }, [2]),
        (#Predicate { $0.name == "alva" }, [1]), (#Predicate { $0.name > "B" }, [0, 1, 2]),
        (#Predicate { names.contains($0.name) }, [1, 2]), (#Predicate { $0.harbor == nil }, [2]),
        (#Predicate { $0.harbor?.name == "Kiel" && !($0.length > 0) }, [0]),
        (#Predicate { $0.harbor?.isOpen == true }, [0, 1]),
      ]
      for (predicate, lengths) in vessels {
        let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.length)])
        #expect(try context.fetch(descriptor).map(\.length) == lengths, "\(predicate)")
      }
      let harbors: [Predicate<Harbor>] = [
        #Predicate { $0.isOpen }, #Predicate { $0.opened < day }, #Predicate { $0.code == code },
        #Predicate { $0.fee > 12 }, #Predicate { $0.vessels.contains { $0.length == 1 } },
        #Predicate { $0.vessels.count == 2 },
      ]
      for predicate in harbors {
        #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == 1, "\(predicate)")
      }
      let sorted = FetchDescriptor<Vessel>(sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)])
      #expect(try context.fetch(sorted).map(\.name) == ["alva", "Älva", "Berta"])
      #expect(throws: SwiftDataError.unsupportedPredicate) {
        try context.fetch(FetchDescriptor<Vessel>(predicate: #Predicate { $0.name.localizedStandardContains("alva") }))
      }
    }
  }
}

@Model
final class Title {
  var text: String
  init(_ text: String) { self.text = text }
}

@Suite("Orders of texts on a server", .needsServer)
struct OrderTests {
  private static let parts = [
    "a", "A", "b", "é", "e\u{301}", "É", "ä", "z", "ß", "ss", "1", "2", "10", "99", "-", "_", " ", "ñ", "ø", "æ", "中",
    "ア", "가", "😀", "я", "ع", "क", "²", "Ａ", "ﬁ", "\u{200D}", ".", ",", "Müller", "file", "File 10", "File 2",
  ]

  @Test("The server orders texts as Foundation does, by both rules, except for numbers with leading zeros")
  func localized() throws {
    let container = try ModelContainer(for: Title.self, configurations: OpeningTests.configuration())
    let context = ModelContext(container)
    var random = SeededGenerator(seed: 47)
    let texts = Set(
      (0..<2000).map { _ in
        (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.parts.randomElement(using: &random) ?? "" }.joined()
      })
    for text in texts { context.insert(Title(text)) }
    try context.save()
    // The order that the library's descriptors have in memory.
    let orders: [(SortDescriptor<Title>, SortKeys)] = [
      (SortDescriptor(\.text, comparator: .localizedStandard), .localizedStandard),
      (SortDescriptor(\.text, comparator: .localized), .localized),
    ]
    for (descriptor, keys) in orders {
      let sorted = try ModelContext(container).fetch(FetchDescriptor(sortBy: [descriptor])).map(\.text)
      #expect(sorted.count == texts.count)
      let misplaced = zip(sorted, sorted.dropFirst()).filter { keys.compare($0, $1) == .orderedDescending }
      #expect(misplaced.map { "\($0.0) \($0.1)" } == [])
    }
  }
}
