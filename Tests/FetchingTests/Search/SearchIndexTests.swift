import FaultyDriver
import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Search indexes")
struct SearchIndexTests {
  typealias Memo = Searched.Memo
  typealias Writer = Searched.Writer
  typealias Topic = Searched.Topic

  private let store: SearchStore

  init() throws {
    store = try SearchStore()
  }

  private func open() throws -> ModelContext {
    try store.open(Memo.self, Writer.self, Topic.self)
  }

  private func numbers(_ context: ModelContext, _ predicate: Predicate<Memo>) throws -> Set<Int> {
    Set(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.number))
  }

  // MARK: Equal results

  private static let letters = [
    "a", "b", "A", "B", "i", "I", "ı", "İ", "é", "e\u{301}", "e", "ß", "ss", "ﬁ", "fi", "K", "\u{212A}", "k", "가", "각",
    "\u{1100}\u{1161}", "日", "本", "😀", "👩‍👩‍👧", "🇩🇪", "\0", "\"", "*", "-", "^", ":", "(", ")", "'", " ", "AND", "OR",
    "NOT", "NEAR", "\n", "\r\n", "\u{ad}", "\u{3b9}", "ᾳ", "Σ", "ς", "\u{fffe}", "\u{ffff}", "\u{fffd}", "%", "_", ";",
    "\u{37e}", "\\", "ae", "æ", "ǰ", "٣", "3",
  ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    let count = Int.random(in: 0...12, using: &generator)
    // Few different letters, so that patterns are found.
    let letters = (0..<4).map { _ in Self.letters.randomElement(using: &generator) ?? "" } + ["a", "b", "i"]
    return (0..<count).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
  }

  /// A part of a text, sometimes in other letters.
  private static func pattern(of text: String, _ generator: inout SeededGenerator) -> String {
    let scalars = Array(text.unicodeScalars)
    let start = Int.random(in: 0...scalars.count, using: &generator)
    let end = Int.random(in: start...min(scalars.count, start + 7), using: &generator)
    var part = String.UnicodeScalarView()
    part.append(contentsOf: scalars[start..<end])
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return String(part).uppercased()
    case 1: return String(part).lowercased()
    case 2: return String(part).decomposedStringWithCanonicalMapping
    case 3: return String(part).folding(options: .diacriticInsensitive, locale: nil)
    default: return String(part)
    }
  }

  /// Compares fetches by indexed texts with fetches by their copies without an index.
  private func compare(_ pattern: String, in context: ModelContext) throws {
    let pairs: [(Predicate<Memo>, Predicate<Memo>)] = [
      (
        #Predicate { $0.text.localizedStandardContains(pattern) },
        #Predicate { $0.twin.localizedStandardContains(pattern) }
      ),
      (#Predicate { $0.text.contains(pattern) }, #Predicate { $0.twin.contains(pattern) }),
      (#Predicate { $0.text.starts(with: pattern) }, #Predicate { $0.twin.starts(with: pattern) }),
      (
        #Predicate { !$0.text.localizedStandardContains(pattern) },
        #Predicate { !$0.twin.localizedStandardContains(pattern) }
      ),
      (#Predicate { $0.note?.contains(pattern) == true }, #Predicate { $0.noteTwin?.contains(pattern) == true }),
      (#Predicate { $0.note?.contains(pattern) != true }, #Predicate { $0.noteTwin?.contains(pattern) != true }),
      (#Predicate { $0.note?.contains(pattern) == false }, #Predicate { $0.noteTwin?.contains(pattern) == false }),
      (
        #Predicate { ($0.note ?? "").localizedStandardContains(pattern) },
        #Predicate { ($0.noteTwin ?? "").localizedStandardContains(pattern) }
      ),
      (#Predicate { $0.place.town.contains(pattern) }, #Predicate { $0.placeTwin.town.contains(pattern) }),
      (
        #Predicate { $0.writer?.name.localizedStandardContains(pattern) == true },
        #Predicate { $0.writer?.twin.localizedStandardContains(pattern) == true }
      ),
      (
        #Predicate { $0.topics.contains { $0.name.contains(pattern) } },
        #Predicate { $0.topics.contains { $0.twin.contains(pattern) } }
      ),
      (
        #Predicate { $0.number > 5 && ($0.text.contains(pattern) || $0.note?.starts(with: pattern) == true) },
        #Predicate { $0.number > 5 && ($0.twin.contains(pattern) || $0.noteTwin?.starts(with: pattern) == true) }
      ),
    ]
    for (index, pair) in pairs.enumerated() {
      let (found, expected) = (try numbers(context, pair.0), try numbers(context, pair.1))
      #expect(found == expected, "predicate \(index), pattern \(Array(pattern.unicodeScalars))")
    }
  }

  @Test("Searches by indexed texts equal those by other texts, after any changes", arguments: 0..<4 as Range<UInt64>)
  func differential(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed + 2_025)
    let context = try open()
    for round in 0..<12 {
      for _ in 0..<25 { try change(context, &generator) }
      let texts = try context.fetch(FetchDescriptor<Memo>()).flatMap { [$0.text, $0.note ?? ""] }
      if round % 4 == 3 {
        context.rollback()
      } else if round % 4 != 2 {
        try context.save()
      }
      for _ in 0..<5 {
        let pattern = Self.pattern(of: texts.randomElement(using: &generator) ?? "", &generator)
        try compare(pattern, in: context)
      }
    }
    try context.save()
    let other = try open()
    for memo in try other.fetch(FetchDescriptor<Memo>()).prefix(20) { try compare(memo.text, in: other) }
    for (table, columns) in [("Memo", ["text", "note", "place_town", "place_street"]), ("Writer", ["name"])] {
      for column in columns { try store.expectIndex(of: column, in: table) }
    }
  }

  private func change(_ context: ModelContext, _ generator: inout SeededGenerator) throws {
    let text = Self.text(&generator)
    let note = Bool.random(using: &generator) ? Self.text(&generator) : nil
    let number = Int.random(in: 0..<60, using: &generator)
    let memo = try context.fetch(FetchDescriptor<Memo>(predicate: #Predicate { $0.number == number })).first
    switch Int.random(in: 0..<14, using: &generator) {
    case 0..<5:
      // Takes over the row with the same number, if any.
      context.insert(Memo(number, text, note: note))
    case 5..<8: memo?.set(text, note: note)
    case 8: memo.map(context.delete)
    case 9:
      let writer = Writer(text)
      context.insert(writer)
      memo?.writer = writer
    case 10:
      let topic = Topic(text)
      context.insert(topic)
      memo?.topics.append(topic)
    case 11:
      // Its memos are deleted with it.
      let writers = try context.fetch(FetchDescriptor<Writer>())
      writers.randomElement(using: &generator).map(context.delete)
    case 12:
      try context.save()
      try context.update(Memo.self, where: #Predicate { $0.number < number }) {
        $0.set(\.note, to: note)
        $0.set(\.noteTwin, to: note)
      }
    default:
      try context.save()
      try context.delete(model: Memo.self, where: #Predicate { $0.number == number })
    }
  }

  @Test("Candidates of the folded index that do not contain the exact pattern are excluded")
  func candidates() throws {
    let context = try open()
    for (number, text) in ["résumé", "RESUME", "re\u{301}sume", "strasse", "straße", "a\0b\0c"].enumerated() {
      context.insert(Memo(number, text))
    }
    try context.save()
    #expect(try numbers(context, #Predicate { $0.text.contains("resume") }) == [])
    #expect(try numbers(context, #Predicate { $0.text.contains("résum") }) == [0, 2])
    #expect(try numbers(context, #Predicate { $0.text.localizedStandardContains("esume") }) == [0, 1, 2])
    #expect(try numbers(context, #Predicate { $0.text.contains("raß") }) == [4])
    #expect(try numbers(context, #Predicate { $0.text.contains("\0b\0") }) == [5])
    for pattern in ["", "é", "es", "\0\0\0\0", "esumes"] { try compare(pattern, in: context) }
  }

  @Test("Patterns are never interpreted as the index's query language")
  func patterns() throws {
    let context = try open()
    let texts = [
      "\"quoted\"", "a*b*c", "one AND two", "text:one", "{text}:x", "^first", "NEAR(a b)", "a - b", "\"\"\"\"", "'''",
      "x\"y", "(((", "a+b+c",
    ]
    for (number, text) in texts.enumerated() { context.insert(Memo(number, text)) }
    try context.save()
    for (number, text) in texts.enumerated() {
      #expect(try numbers(context, #Predicate { $0.text.contains(text) }) == [number], "\(text)")
      #expect(try numbers(context, #Predicate { $0.text.localizedStandardContains(text) }) == [number], "\(text)")
    }
    for pattern in ["\" OR \"", "tex*", "one OR two", "text: one", "-first"] { try compare(pattern, in: context) }
  }

  @Test("Long texts and patterns are found like short ones")
  func longTexts() throws {
    let context = try open()
    let long = (0..<40_000).map { "é\($0)" }.joined(separator: " ")
    context.insert(Memo(1, long))
    context.insert(Memo(2, "é39998 é39999"))
    try context.save()
    let part = String(long.dropFirst(1_000).prefix(100_000))
    #expect(try numbers(context, #Predicate { $0.text.contains(part) }) == [1])
    #expect(try numbers(context, #Predicate { $0.text.contains("é39998 é39999") }) == [1, 2])
    #expect(try numbers(context, #Predicate { $0.text.localizedStandardContains(long) }) == [1])
    let other = part + "x" + part
    #expect(try numbers(context, #Predicate { $0.text.contains(other) }) == [])
  }

  @Test("A transaction finds its own saves, and failed or undone changes leave nothing in the index")
  func transactions() throws {
    let context = try open()
    context.insert(Memo(1, "first text"))
    context.insert(Memo(2, "second text"))
    try context.save()
    var inside: Set<Int> = []
    try context.transaction {
      context.insert(Memo(3, "third text"))
      try context.save()
      inside = try numbers(context, #Predicate { $0.text.contains("third") })
    }
    #expect(inside == [3])
    for memo in try context.fetch(FetchDescriptor<Memo>()) {
      memo.number = 9
      memo.set("changed text", note: "a note")
    }
    #expect(throws: (any Error).self) { try context.save() }
    context.rollback()
    let other = try open()
    #expect(try numbers(other, #Predicate { $0.text.contains("changed") }) == [])
    #expect(try numbers(other, #Predicate { $0.text.contains("second") }) == [2])
    for column in ["text", "note", "place_town"] { try store.expectIndex(of: column, in: "Memo") }
  }

  @Test("A database with minimal features is searched by the index as well")
  func austereDatabase() throws {
    let context = try DatabaseInterception.$wrap.withValue(AustereDatabase.wrap) { try open() }
    context.insert(Memo(1, "first text"))
    try context.save()
    #expect(try numbers(context, #Predicate { $0.text.localizedStandardContains("ST TE") }) == [1])
    #expect(try context.searchIndexes(#Predicate<Memo> { $0.text.contains("abc") }) == ["swiftdata_search_Memo_text"])
    try store.expectIndex(of: "text", in: "Memo")
  }

  // MARK: Plans

  @Test("The plan of a search uses the index unless the pattern is too short")
  func plan() throws {
    let context = try open()
    let index = "swiftdata_search_Memo_text"
    for _ in 0..<3 {
      // The third time, the translation is a cached one.
      for pattern in ["abc", "ABC DEF", "é\u{301}bc", "日本語"] {
        #expect(try context.searchIndexes(#Predicate<Memo> { $0.text.localizedStandardContains(pattern) }) == [index])
        #expect(try context.searchIndexes(#Predicate<Memo> { $0.text.contains(pattern) }) == [index])
        #expect(try context.searchIndexes(#Predicate<Memo> { $0.text.starts(with: pattern) }) == [index])
        #expect(try context.searchIndexes(#Predicate<Memo> { $0.twin.contains(pattern) }) == [])
      }
      for pattern in ["", "a", "ab", "é\u{301}b", "\0\0a\0b"] {
        #expect(try context.searchIndexes(#Predicate<Memo> { $0.text.contains(pattern) }) == [])
      }
    }
    let plan = try context.explain(
      FetchDescriptor<Memo>(predicate: #Predicate { $0.text.localizedStandardContains("abc") }))
    #expect(!plan.steps.contains { $0.kind == .scan }, "\(plan)")
    #expect(plan.sql.contains("MATCH"))
    #expect(plan.steps.contains { $0.kind == .search && $0.index == index })
  }

  @Test("Searches through relationships, optionals and structures use their indexes")
  func otherPlans() throws {
    let context = try open()
    let pattern = "abc"
    #expect(
      try context.searchIndexes(#Predicate<Memo> { $0.note?.contains(pattern) == true })
        == ["swiftdata_search_Memo_note"])
    #expect(
      try context.searchIndexes(#Predicate<Memo> { $0.writer?.name.localizedStandardContains(pattern) == true })
        == ["swiftdata_search_Writer_name"])
    #expect(
      try context.searchIndexes(#Predicate<Memo> { $0.topics.contains { $0.name.contains(pattern) } })
        == ["swiftdata_search_Topic_name"])
    #expect(
      try context.searchIndexes(#Predicate<Memo> { $0.place.town.contains(pattern) })
        == ["swiftdata_search_Memo_place_town"])
    #expect(
      try context.searchIndexes(#Predicate<Memo> { $0.number == 3 || !$0.text.contains(pattern) })
        == ["swiftdata_search_Memo_text"])
  }

  @Test("Translations of long and short patterns are cached separately")
  func templates() throws {
    let context = try open()
    for (number, text) in ["abcd", "xaby", "bcde"].enumerated() { context.insert(Memo(number, text)) }
    try context.save()
    for _ in 0..<4 {
      for (pattern, expected) in [
        ("ab", [0, 1]), ("bcd", [0, 2]), ("bc", [0, 2]), ("xab", [1]), ("q", []), ("qqq", []),
      ] {
        #expect(try numbers(context, #Predicate { $0.text.contains(pattern) }) == Set(expected))
        #expect(try numbers(context, #Predicate { $0.text.localizedStandardContains(pattern) }) == Set(expected))
      }
    }
  }

  // MARK: Layout

  @Test("Inherited texts share their table and have indexes of their own")
  func inheritance() throws {
    let context = try store.open(Leaflet.self, Pamphlet.self)
    context.insert(Leaflet(headline: "abcdef"))
    context.insert(Pamphlet("xabcx", imprint: "other abc"))
    context.insert(Pamphlet("none", imprint: nil))
    try context.save()
    #expect(
      try context.fetchCount(FetchDescriptor<Leaflet>(predicate: #Predicate { $0.headline.contains("abc") })) == 2)
    #expect(
      try context.fetchCount(FetchDescriptor<Pamphlet>(predicate: #Predicate { $0.headline.contains("abc") })) == 1)
    #expect(
      try context.fetchCount(FetchDescriptor<Pamphlet>(predicate: #Predicate { $0.imprint?.contains("abc") == true }))
        == 1)
    try store.expectIndex(of: "headline", in: "Leaflet")
    try store.expectIndex(of: "imprint", in: "Leaflet")
  }

  @Test("Only texts have search indexes, and their names do not collide with parts of other ones")
  func names() throws {
    let context = try store.open(Searched.Oddity.self)
    let tables = try store.parts().filter { !["_insert", "_update", "_delete"].contains(where: $0.hasSuffix) }
    #expect(
      tables == [
        "swiftdata_search_Oddity_b", "swiftdata_search_Oddity_b_config_2", "swiftdata_search_Oddity_b_data_2",
      ])
    let oddity = Searched.Oddity()
    oddity.b_data = "abc"
    context.insert(oddity)
    try context.save()
    #expect(
      try context.fetchCount(FetchDescriptor<Searched.Oddity>(predicate: #Predicate { $0.b_data.contains("abc") })) == 1
    )
  }

  @Test("A table without searchable texts has neither triggers nor search indexes")
  func noCost() throws {
    let context = try store.open(SearchedVersions.Plain.Note.self)
    context.insert(SearchedVersions.Plain.Note("abc"))
    try context.save()
    #expect(try store.parts() == [])
    #expect(try StoreFiles.texts("SELECT name FROM sqlite_master WHERE type = 'trigger'", at: store.url) == [])
    #expect(try !SchemaRecord.text(of: context.relationalTables).contains("searches"))
  }

  @Test("In-memory stores, backups and read-only stores are searched by their indexes")
  func otherStores() throws {
    let memory = ModelContext(try makeContainer(Memo.self, Writer.self, Topic.self))
    let context = try open()
    for target in [memory, context] {
      target.insert(Memo(1, "Straßenbahn"))
      try target.save()
      try target.container.erase()
      target.insert(Memo(2, "Straßenbahn"))
      try target.save()
      #expect(try numbers(target, #Predicate { $0.text.localizedStandardContains("ENBAHN") }) == [2])
    }
    let copy = store.folder.file("copy.store")
    try context.container.backup(to: copy)
    for url in [copy, store.url] {
      let reader = ModelContext(
        try ModelContainer(
          for: Schema([Memo.self, Writer.self, Topic.self]),
          configurations: ModelConfiguration(url: url, allowsSave: false)))
      #expect(try numbers(reader, #Predicate { $0.text.localizedStandardContains("ENBAHN") }) == [2])
      #expect(
        try reader.searchIndexes(#Predicate<Memo> { $0.text.contains("abc") }) == ["swiftdata_search_Memo_text"])
    }
  }
}

extension ModelContext {
  /// The tables of the store that has the context's models.
  fileprivate var relationalTables: [TableDefinition] {
    get throws {
      try #require(graph.requireBinding(for: SearchedVersions.Plain.Note.self).session as? RelationalSession).store
        .layout.tables
    }
  }
}
