import Foundation
import SwiftData
import SwiftDataPostgres
import Testing

@Model
private final class Note {
  @Attribute(.unique) var text: String
  var copy: String?
  var words: [String]
  var place: Place
  var ranks: [String: Int]
  var url: URL?
  @Relationship(inverse: \Heading.notes) var headings: [Heading] = []

  struct Place: Codable, Hashable {
    var street: String
    var parts: [String]
  }

  init(_ text: String) {
    self.text = text
    copy = text
    words = [text, "other"]
    place = Place(street: text, parts: [text])
    ranks = [text: 1]
  }
}

@Model
private final class Heading {
  var title: String
  var notes: [Note] = []

  init(_ title: String) {
    self.title = title
  }
}

/// A name of 200 bytes.
@Model
private final class
  ALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCut
{
  @Attribute(.unique)
  var aLongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldBe:
    String
  var aLongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldSo:
    Int
  var `select`: Int
  // swift-format-ignore: IdentifiersMustBeASCII
  var größe😀: Int
  @Relationship(deleteRule: .cascade) var `order`: Heading?

  init(_ text: String, _ number: Int) {
    aLongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldBe =
      text
    aLongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldSo =
      number
    self.select = number
    größe😀 = number
  }
}

private typealias LongNamed =
  ALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCutALongNameThatTheServerWouldCut

/// A table whose name differs from another one's in case only.
// swift-format-ignore: TypeNamesShouldBeCapitalized
@Model
private final class note {
  var user: String

  init(_ user: String) {
    self.user = user
  }
}

@Model
private final class Table {
  var user: String
  var limit: Int

  init(_ user: String) {
    self.user = user
    limit = 1
  }
}

@Suite("Hostile names and values in a PostgreSQL store", .needsServer)
struct HostileTests {
  private static let texts = [
    "'; DROP TABLE \"Note\"; --", "\" OR 1 = 1 --", "$1", "$2::text", "$$", "$tag$ x $tag$", "\\", "\\'", "E'\\x00'",
    "%", "_",
    "%s %n %@", ":name", "?", "/* */", "--", "\0", "a\0b", "\u{1}", "\u{2}", "\u{1}\u{2}", "\u{1}\u{3}", "\0\u{2}",
    "\u{FFFF}",
    "\u{FFFD}", "\u{10FFFF}", "\u{FEFF}", "😀", "👨‍👩‍👧‍👦", "e\u{301}", "\u{7F}", "\r\n", "\t", "", " ", "NULL", "{a,b}",
    "{\"a\": 1}",
    "[1]", "\\u0000", "\\u0001\\u0002", "\"", "''", "((", "ﷺ", "\u{202E}abc",
  ]

  private let namespace: Namespace

  init() throws {
    namespace = try Namespace("hostile '\"; %s \\ $1 😀")
  }

  private func open() throws -> ModelContainer {
    try ModelContainer(
      for: Note.self, LongNamed.self, note.self, Table.self,
      configurations: PostgresConfiguration(url: try #require(ServerAddress.url), namespace: namespace.name))
  }

  private var tableCount: Int64 {
    get throws {
      try namespace.database.integer(
        """
        SELECT count(*) FROM pg_class WHERE relkind = 'r'
        AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        """)
    }
  }

  // MARK: Values

  @Test(
    "Hostile texts keep their scalars in all kinds of properties, and predicates with them select what Swift selects")
  func values() throws {
    let container = try open()
    let writer = ModelContext(container)
    writer.author = Self.texts[0]
    for (index, text) in Self.texts.enumerated() {
      let note = Note(text)
      writer.insert(note)
      if index % 5 == 0 { note.copy = nil }
      let heading = Heading(text)
      writer.insert(heading)
      note.headings = [heading]
    }
    try writer.save()
    let tables = try tableCount
    let context = ModelContext(container)
    let notes = try context.fetch(FetchDescriptor<Note>())
    #expect(notes.count == Self.texts.count)
    func scalars(_ text: String?) -> [Unicode.Scalar]? { text.map { Array($0.unicodeScalars) } }
    for text in Self.texts {
      let found = try context.fetch(FetchDescriptor<Note>(predicate: #Predicate { $0.text == text }))
      let note = try #require(found.first, "\(text.prefix(40).debugDescription)")
      #expect(found.count == 1)
      // Unique texts are normalized; no other is.
      #expect(scalars(note.words.first) == scalars(text))
      #expect(scalars(note.place.street) == scalars(text))
      #expect(scalars(note.place.parts.first) == scalars(text))
      #expect(scalars(note.ranks.keys.first) == scalars(text))
      #expect(scalars(note.headings.first?.title) == scalars(text))
      if let copy = note.copy { #expect(scalars(copy) == scalars(text)) }
      try compare(text, context, notes)
    }
    #expect(try tableCount == tables)
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.map(\.author) == [Self.texts[0]])
  }

  private func compare(_ text: String, _ context: ModelContext, _ notes: [Note]) throws {
    let list = [text, "none"]
    let predicates: [(String, Predicate<Note>)] = [
      ("==", #Predicate { $0.text == text }), ("!=", #Predicate { $0.copy != text }),
      ("<", #Predicate { $0.text < text }), (">=", #Predicate { $0.text >= text }),
      ("contains", #Predicate { $0.text.contains(text) }), ("starts", #Predicate { $0.text.starts(with: text) }),
      ("in text", #Predicate { text.contains($0.text) }),
      ("localized", #Predicate { $0.text.localizedStandardContains(text) }),
      ("in list", #Predicate { list.contains($0.text) }),
      ("optional list", #Predicate { list.contains($0.copy ?? "") }),
      ("coalesce", #Predicate { ($0.copy ?? text) == text }), ("element", #Predicate { $0.words.contains(text) }),
      ("elements", #Predicate { $0.words.contains { $0.starts(with: text) } }),
      ("field", #Predicate { $0.place.street == text }), ("dictionary", #Predicate { $0.ranks[text] == 1 }),
      ("related", #Predicate { $0.headings.contains { $0.title == text } }),
      ("conditional", #Predicate { ($0.text == text ? text : "x") == text }),
    ]
    for (name, predicate) in predicates {
      let expected = try notes.filter { try predicate.evaluate($0) }.map(\.text)
      let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.text)
      #expect(Set(found) == Set(expected), "\(name): \(text.prefix(40).debugDescription)")
      #expect(found.count == expected.count)
    }
  }

  @Test(
    "Long texts and texts of quotes are found and keep their bytes",
    arguments: ["'", "\\", "\0", "\u{1}", "😀", "long text "])
  func longTexts(part: String) throws {
    let container = try open()
    let writer = ModelContext(container)
    let text = String(repeating: part, count: 20_000)
    // An index entry has at most 2,700 bytes, so that only short unique texts are stored.
    let note = Note("short")
    writer.insert(note)
    note.copy = text
    note.words = [text]
    note.place = Note.Place(street: text, parts: [text])
    try writer.save()
    let context = ModelContext(container)
    let found = try #require(try context.fetch(FetchDescriptor<Note>(predicate: #Predicate { $0.copy == text })).first)
    #expect(found.copy?.utf8.elementsEqual(text.utf8) == true)
    #expect(found.words == [text])
    #expect(found.place == Note.Place(street: text, parts: [text]))
  }

  @Test("A unique text that is too long for the server's index is a typed error, and nothing is saved")
  func tooLongUniqueText() throws {
    let container = try open()
    let context = ModelContext(container)
    context.insert(Note("short"))
    // The server compresses texts that repeat themselves.
    context.insert(Note((0..<20_000).map { _ in String(UInt8.random(in: 0...9)) }.joined()))
    let error = SwiftDataError.thrown { try context.save() }
    #expect(error == .storeFailure)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 0)
  }

  @Test("Deletions by hostile texts delete only what they select")
  func deletions() throws {
    let container = try open()
    let context = ModelContext(container)
    let texts = Self.texts.prefix(40)
    for text in texts { context.insert(Note(text)) }
    try context.save()
    let tables = try tableCount
    for (index, text) in texts.enumerated() {
      try context.delete(model: Note.self, where: #Predicate { $0.text == text })
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Note>()) == texts.count - index - 1)
    }
    #expect(try tableCount == tables)
  }

  @Test("A new model with a hostile unique text becomes the row that has it")
  func upserts() throws {
    let container = try open()
    for round in 0..<2 {
      let context = ModelContext(container)
      for text in Self.texts {
        let note = Note(text)
        note.ranks = ["round": round]
        context.insert(note)
      }
      try context.save()
    }
    let notes = try ModelContext(container).fetch(FetchDescriptor<Note>())
    #expect(notes.count == Self.texts.count)
    #expect(notes.allSatisfy { $0.ranks == ["round": 1] })
  }

  // MARK: Names

  @Test(
    "Models with names of 200 bytes, emoji, words of SQL, and names that differ in case only, are stored and migrated")
  func names() throws {
    do {
      let container = try open()
      let context = ModelContext(container)
      for number in 0..<5 { context.insert(LongNamed("text \(number)", number)) }
      context.insert(note("lower"))
      context.insert(Note("upper"))
      context.insert(Table("table"))
      try context.save()
      let upsert = LongNamed("text 1", 10)
      context.insert(upsert)
      try context.save()
      try container.close()
    }
    let context = ModelContext(try open())
    let found = try context.fetch(
      FetchDescriptor<LongNamed>(
        predicate: #Predicate { $0.select > 2 && $0.größe😀 < 100 }, sortBy: [SortDescriptor(\.select)]))
    #expect(found.map(\.select) == [3, 4, 10])
    #expect(try context.fetchCount(FetchDescriptor<LongNamed>()) == 5)
    #expect(try context.fetch(FetchDescriptor<note>(predicate: #Predicate { $0.user == "lower" })).count == 1)
    #expect(try context.fetch(FetchDescriptor<Note>()).map(\.text) == ["upper"])
    #expect(
      try context.fetch(FetchDescriptor<Table>(predicate: #Predicate { $0.limit == 1 && $0.user == "table" })).count
        == 1)
  }

  @Test(
    "A namespace may have any name of 1 to 63 bytes",
    arguments: [
      "\"", "'", ";", "\\", "%", "a b", "Ä", String(repeating: "😀", count: 12), "SELECT", "a.b", "a,b", "\"public\"",
      "pg", "PG_x", "information", "🇩🇪\n", "\u{1}", " ", "$user, public",
    ])
  func namespaces(name: String) throws {
    let name = name + "\(UInt16.random(in: 0...(.max)))"
    let database = try Namespace.database(name)
    defer {
      try? database.execute("DROP SCHEMA IF EXISTS \"\(name.replacing("\"", with: "\"\""))\" CASCADE")
      try? database.close()
    }
    let configuration = PostgresConfiguration(url: try #require(ServerAddress.url), namespace: name)
    try configuration.validate()
    let container = try ModelContainer(for: Table.self, configurations: configuration)
    let context = ModelContext(container)
    context.insert(Table("x"))
    try context.save()
    #expect(try database.integer("SELECT count(*) FROM \"Table\"") == 1)
    #expect(try database.text("SELECT current_schema()") == name)
    try container.close()
  }

  @Test(
    "A name that no schema can have is a typed error",
    arguments: ["", "pg_x", String(repeating: "x", count: 64), "a\0b", "$user", "information_schema"])
  func refusedNamespaces(name: String) throws {
    let url = try #require(ServerAddress.url)
    let error = SwiftDataError.thrown {
      _ = try ModelContainer(for: Table.self, configurations: PostgresConfiguration(url: url, namespace: name))
    }
    #expect(error == .loadIssueModelContainer)
  }
}
