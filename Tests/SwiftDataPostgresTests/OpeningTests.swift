import Foundation
import FoundationSupplements
import SwiftData
import SwiftDataPostgres
import TestSupport
import Testing

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

@Suite("Opening stores on a server", .enabled(if: PostgresTests.url != nil, "OSD_POSTGRES_URL is not set"))
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
}

@Model
final class Title {
  var text: String
  init(_ text: String) { self.text = text }
}

@Suite("Orders of texts on a server", .enabled(if: PostgresTests.url != nil, "OSD_POSTGRES_URL is not set"))
struct OrderTests {
  private static let parts = [
    "a", "A", "b", "é", "e\u{301}", "É", "ä", "z", "ß", "ss", "1", "2", "10", "99", "-", "_", " ", "ñ", "ø", "æ", "中",
    "ア", "가", "😀", "я", "ع", "क", "²", "Ａ", "ﬁ", "\u{200D}", ".", ",", "Müller", "file", "File 10", "File 2",
  ]

  @Test("The server orders texts as Foundation does, by both rules, except for numbers with leading zeros")
  func localized() throws {
    let container = try ModelContainer(for: Title.self, configurations: OpeningTests.configuration())
    let context = ModelContext(container)
    var random = SeededRandom(seed: 47)
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

private struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
