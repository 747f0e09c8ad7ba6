import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum NarrowGauges {
  @Model
  final class Gauge {
    var number: Int
    var level: Int32 = 1
    var ratio: Float = 0.5
    var serial: UInt64 = 1
    var isOn = false
    var price = Decimal(0)
    var tag = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    var link: URL?
    var made = Date(timeIntervalSinceReferenceDate: 0)
    var suit = Suit.hearts
    var count: Int?
    var span: Reach = Reach(low: 1)

    init(_ number: Int) {
      self.number = number
    }
  }

  struct Reach: Codable, Equatable {
    var low: Int
  }
}

enum WideGauges {
  @Model
  final class Gauge {
    var number: Int64
    var level: Int
    var ratio: Double
    var serial: String
    var isOn: String
    var price: String
    var tag: String
    var link: String?
    var made: String
    var suit: String
    var count: Double?
    var span: Reach

    init(_ number: Int64) {
      self.number = number
      level = 0
      ratio = 0
      serial = ""
      isOn = ""
      price = ""
      tag = ""
      made = ""
      suit = ""
      span = Reach(low: "0")
    }
  }

  struct Reach: Codable, Equatable {
    var low: String
  }
}

enum WholeLevels {
  @Model
  final class Probe {
    var level: Int

    init(_ level: Int) {
      self.level = level
    }
  }
}

enum ByteLevels {
  @Model
  final class Probe {
    var level: Int8

    init(_ level: Int8) {
      self.level = level
    }
  }
}

enum RealLevels {
  @Model
  final class Probe {
    var level: Double

    init(_ level: Double) {
      self.level = level
    }
  }
}

enum UniqueTextLevels {
  @Model
  final class Probe {
    @Attribute(.unique) var level: String

    init(_ level: String) {
      self.level = level
    }
  }
}

enum SuitTexts {
  @Model
  final class Hand {
    var number: Int
    var suit: String?

    init(_ number: Int, _ suit: String?) {
      self.number = number
      self.suit = suit
    }
  }
}

enum SuitCases {
  @Model
  final class Hand {
    var number: Int
    var suit: Suit?

    init(_ number: Int, _ suit: Suit?) {
      self.number = number
      self.suit = suit
    }
  }
}

@Suite("Conversions to types that have all values")
struct ConvertedValuesTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
  }

  @Test("Numbers can be widened, and values of any type become texts, in structures as well")
  func widened() throws {
    let link = try #require(URL(string: "b", relativeTo: URL(string: "https://example.org/a/")))
    let old = try store.open([NarrowGauges.Gauge.self]).freshContext()
    let (first, second) = (NarrowGauges.Gauge(1), NarrowGauges.Gauge(2))
    first.level = .max
    first.ratio = 0.1
    first.serial = .max
    first.isOn = true
    first.price = Decimal(125) / 10
    first.link = link
    first.count = 7
    first.made = Date(timeIntervalSinceReferenceDate: 800_000_000.1)
    first.suit = .clubs
    first.span.low = -5
    old.insert(first)
    old.insert(second)
    try old.save()
    for _ in 0..<2 {
      let gauges = try store.open([WideGauges.Gauge.self]).freshContext().all(WideGauges.Gauge.self, by: \.number)
      #expect(gauges.map(\.level) == [Int(Int32.max), 1])
      #expect(gauges.map(\.ratio) == [Double(Float(0.1)), 0.5])
      #expect(gauges.map(\.serial) == ["18446744073709551615", "1"])
      #expect(gauges.map(\.isOn) == ["true", "false"])
      #expect(gauges.map(\.price) == ["12.5", "0"])
      #expect(gauges.map(\.tag) == Array(repeating: "00010203-0405-0607-0809-0A0B0C0D0E0F", count: 2))
      #expect(gauges.map(\.link) == ["https://example.org/a/b", nil])
      #expect(gauges.map(\.made) == ["2026-05-09T06:13:20.100Z", "2001-01-01T00:00:00.000Z"])
      #expect(gauges.map(\.suit) == [Suit.clubs.rawValue, "hearts"])
      #expect(gauges.map(\.count) == [7, nil])
      #expect(gauges.map(\.span) == [WideGauges.Reach(low: "-5"), WideGauges.Reach(low: "1")])
    }
    #expect(try store.texts("SELECT DISTINCT typeof(serial) || typeof(span_low) FROM Gauge") == ["texttext"])
    #expect(try store.texts("SELECT name FROM pragma_table_info('Gauge') WHERE name LIKE '%former%'") == [])
    #expect(try store.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test("An enumeration becomes its raw value and back, and a container with the other type throws")
  func enumerations() throws {
    let texts = try store.open([SuitTexts.Hand.self]).freshContext()
    texts.autosaveEnabled = false
    texts.insert(SuitTexts.Hand(1, "spades"))
    texts.insert(SuitTexts.Hand(2, nil))
    try texts.save()
    let cases = try store.open([SuitCases.Hand.self]).freshContext()
    #expect(try cases.all(SuitCases.Hand.self, by: \.number).map(\.suit) == [.spades, nil])
    texts.insert(SuitTexts.Hand(3, "x"))
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try texts.save() }
    let back = try store.open([SuitTexts.Hand.self]).freshContext()
    #expect(try back.all(SuitTexts.Hand.self, by: \.number).map(\.suit) == ["spades", nil])
  }

  private func writeLevels(_ levels: Int...) throws {
    let context = try store.open([WholeLevels.Probe.self]).freshContext()
    for level in levels { context.insert(WholeLevels.Probe(level)) }
    try context.save()
  }

  @Test("Numbers can be narrowed when all of them fit")
  func narrowed() throws {
    try writeLevels(-128, 127)
    let bytes = try store.open([ByteLevels.Probe.self]).freshContext()
    #expect(try bytes.all(ByteLevels.Probe.self, by: \.level).map(\.level) == [-128, 127])
    let whole = try store.open([WholeLevels.Probe.self]).freshContext()
    #expect(try whole.all(WholeLevels.Probe.self, by: \.level).map(\.level) == [-128, 127])
  }

  @Test("Numbers that do not fit are counted, and nothing is changed")
  func tooLarge() throws {
    try writeLevels(128, -129, 5)
    let error = try expectRefusal(in: store.folder) { try store.open([ByteLevels.Probe.self]) }
    let issue = try #require(error?.details?.issues.first)
    #expect(issue.entity == "Probe" && issue.property == "level")
    #expect(issue.message.contains("from Int to Int8") && issue.message.contains("2 models"))
  }

  @Test("Whole numbers become floating-point numbers if all are equal to them")
  func reals() throws {
    try writeLevels(1 << 53, (1 << 53) + 2, .min)
    let reals = try store.open([RealLevels.Probe.self]).freshContext()
    #expect(
      try reals.all(RealLevels.Probe.self, by: \.level).map(\.level)
        == [-9_223_372_036_854_775_808, 9_007_199_254_740_992, 9_007_199_254_740_994])
    let other = try ConvertedValuesTests()
    try other.writeLevels((1 << 53) + 1, .max, 4)
    let error = try expectRefusal(in: other.store.folder) { try other.store.open([RealLevels.Probe.self]) }
    #expect(error?.details?.issues.first?.message.contains("2 models") == true)
  }

  @Test("Texts that repeat after a conversion are reported")
  func repeated() throws {
    try writeLevels(5, 5, 6)
    let error = try expectRefusal(in: store.folder) { try store.open([UniqueTextLevels.Probe.self]) }
    #expect(error?.details?.issues.map(\.property) == ["level"])
    #expect(error?.details?.issues.first?.message.contains(#": "5" (2 models)."#) == true)
  }

  @Test("More rows than one page of a conversion become unique texts, and can be found")
  func manyRows() throws {
    let context = try store.open([WholeLevels.Probe.self]).freshContext()
    for level in 0..<2500 { context.insert(WholeLevels.Probe(level)) }
    try context.save()
    let texts = try store.open([UniqueTextLevels.Probe.self]).freshContext()
    #expect(try texts.fetchCount(FetchDescriptor<UniqueTextLevels.Probe>()) == 2500)
    let found = try texts.fetch(FetchDescriptor(predicate: #Predicate<UniqueTextLevels.Probe> { $0.level == "2345" }))
    #expect(found.count == 1)
  }

  @Test("A value that the previous type cannot have prevents the conversion, and nothing is changed")
  func damaged() throws {
    try writeLevels(1, 2)
    try StoreFiles.execute("UPDATE Probe SET level = 'x' WHERE level = 2", at: store.url)
    let error = try expectRefusal(in: store.folder) { try store.open([UniqueTextLevels.Probe.self]) }
    #expect(error?.details?.issues.first?.message.contains("1 model of the store has a value") == true)
  }

  @Test("The types that can be converted to each type")
  func types() {
    for (former, present, isConverted) in [
      ("Int", "Int64", true), ("Int64", "UInt8", true), ("Float", "Double", true), ("Double", "Float", false),
      ("Double", "Int", false), ("Int", "Decimal", true), ("String", "Int", false), ("Data", "String", false),
      ("raw Int", "Int", true), ("Int", "raw Int", true), ("Int", "raw Int8", false), ("raw String", "raw Int", false),
      ("json", "String", false), ("", "String", false), ("Bool", "Int", false), ("Date", "Double", false),
    ] {
      #expect((ValueConversion(from: former, to: present) != nil) == isConverted, "\(former) to \(present)")
    }
  }

  @Test("Whole numbers keep their values in every type", arguments: ["Int", "UInt64", "Double", "Decimal", "String"])
  func wholeNumbers(type: String) throws {
    let narrow = try #require(ValueConversion(from: "Int32", to: type))
    let values: [String: Value] = [
      "Int": .integer(12), "UInt64": .integer(12), "Double": .real(12), "Decimal": .text(DecimalText.encode(12)),
      "String": .text("12"),
    ]
    #expect(narrow.convert(.integer(12)) == values[type])
    #expect(narrow.convert(.null) == .null)
  }

  @Test("A date as a text has as many digits as distinguish it from other dates")
  func dates() {
    let texts: [(Double, String?)] = [
      (0, "2001-01-01T00:00:00.000Z"), (-1.25, "2000-12-31T23:59:58.750Z"),
      (0.1 + 0.2, "2001-01-01T00:00:00.30000000000000004Z"), (1e-7, "2001-01-01T00:00:00.0000001Z"),
      (-0.001, "2000-12-31T23:59:59.999Z"),
      (Date.distantFuture.timeIntervalSinceReferenceDate, "4001-01-01T00:00:00.000Z"),
      (.nan, nil), (.infinity, nil), (252_423_993_600, nil),
    ]
    for (seconds, text) in texts { #expect(DateText.encode(seconds) == text, "\(seconds)") }
  }
}
