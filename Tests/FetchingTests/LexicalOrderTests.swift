import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum Lexical {
  enum Kind: String, Codable, CaseIterable {
    case first = "e\u{301}"
    case second = "\u{e8}"
    case third = "f"

    /// In another order than the raw values.
    var label: String { self == .first ? "z\u{30c}" : self == .second ? "z" : "\u{17d}" }
  }

  struct Word: RawRepresentable, Codable, Hashable {
    var rawValue: String
  }

  struct Stem: Codable, Hashable {
    var text: String
  }

  @Model
  final class Lexicon {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Lemma.lexicon) var lemmas: [Lemma] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Lemma {
    #Unique<Lemma>([\.text, \.stem.text, \.kind, \.word, \.number])
    #Index<Lemma>([\.text])
    var text: String
    var plain: String
    var stem: Stem
    var kind: Kind
    var plainKind: Kind
    var word: Word
    var number: Int
    var lexicon: Lexicon?

    init(_ text: String, _ other: String, number: Int) {
      self.text = text
      plain = text
      stem = Stem(text: other)
      kind = Kind.allCases[number % 3]
      plainKind = Kind.allCases[number * 2 % 3]
      word = Word(rawValue: text)
      self.number = number
    }
  }
}

@Suite("The lexical order of texts")
struct LexicalOrderTests {
  private typealias Lemma = Lexical.Lemma
  private typealias Lexicon = Lexical.Lexicon
  private let container: ModelContainer

  init() throws {
    container = try makeContainer(Lemma.self, Lexicon.self)
  }

  static let sorts: [SortDescriptor<Lexical.Lemma>] = [.forward, .reverse].flatMap { (order: SortOrder) in
    [
      .init(\.text, comparator: .lexical, order: order), .init(\.plain, comparator: .lexical, order: order),
      .init(\.stem.text, comparator: .lexical, order: order),
      .init(\.lexicon?.name, comparator: .lexical, order: order),
      .init(\.kind.rawValue, comparator: .lexical, order: order),
      .init(\.plainKind.rawValue, comparator: .lexical, order: order),
      .init(\.kind.label, comparator: .lexical, order: order),
      .init(\.word.rawValue, comparator: .lexical, order: order),
    ]
  }

  private static func texts() -> [String] {
    let all = HardTexts.all.filter { $0.utf8.count < 100 }
    let texts = all + all.indices.map { all[$0] + all[$0 * 7 % all.count] }
    return texts.indices.map { texts[$0 * 89 % texts.count] }
  }

  private func numbers(_ descriptor: FetchDescriptor<Lexical.Lemma>, _ context: ModelContext) throws -> [Int] {
    try context.fetch(descriptor).map(\.number)
  }

  @Test("Unsaved models have their positions between the rows, on each page", arguments: sorts.indices)
  func pending(index: Int) throws {
    let context = container.freshContext()
    context.autosaveEnabled = false
    let texts = Self.texts()
    let lexicons = ["e\u{301}b", "\u{e9}a", "f", "\u{2126}"].map { Lexicon($0) }
    for lexicon in lexicons { context.insert(lexicon) }
    for (number, text) in texts.enumerated() {
      if number == texts.count / 2 { try context.save() }
      let lemma = Lemma(text, texts[number * 31 % texts.count], number: number)
      context.insert(lemma)
      lemma.lexicon = number % 5 == 0 ? nil : lexicons[number % 4]
    }
    for lemma in try context.fetch(FetchDescriptor<Lemma>()) where lemma.number % 7 == 0 { lemma.text += "e\u{301}" }
    var descriptor = FetchDescriptor(sortBy: [Self.sorts[index]])
    var page = descriptor
    (page.fetchOffset, page.fetchLimit) = (30, 25)
    let before = try numbers(descriptor, context)
    #expect(try numbers(page, context) == Array(before[30..<55]))

    try context.save()
    // Stored names of lexicons have other forms than those in memory by now.
    for context in [context, container.freshContext()] {
      #expect(try numbers(descriptor, context) == before)
      #expect(try numbers(page, context) == Array(before[30..<55]))
    }
    // A last one requires all of them in memory.
    let last = Lemma("\u{10ffff}\u{10ffff}", "\u{10ffff}\u{10ffff}", number: texts.count)
    context.insert(last)
    descriptor.predicate = #Predicate { $0.number < 10_000 }
    #expect(try numbers(descriptor, context).filter { $0 != last.number } == before)
  }

  @Test("Unique texts have Swift's order of normal forms, in whatever form they were written")
  func unique() throws {
    let context = container.freshContext()
    for (number, text) in ["e\u{301}", "f", "\u{e8}", "e", "e\u{300}"].enumerated() {
      context.insert(Lemma(text, "", number: number))
    }
    let sort = SortDescriptor(\Lexical.Lemma.text, comparator: .lexical)
    #expect(try numbers(FetchDescriptor(sortBy: [sort]), context) == [3, 1, 2, 4, 0])
    try context.save()
    #expect(try numbers(FetchDescriptor(sortBy: [sort]), context) == [3, 1, 2, 4, 0])
    #expect(try numbers(FetchDescriptor(sortBy: [sort]), container.freshContext()) == [3, 1, 2, 4, 0])
    let plain = SortDescriptor(\Lexical.Lemma.plain, comparator: .lexical)
    #expect(try numbers(FetchDescriptor(sortBy: [plain]), container.freshContext()) == [3, 4, 0, 1, 2])
  }

  @Test("Unique texts are sorted by their index")
  func plan() throws {
    let context = ModelContext(try makeContainer(Lexicon.self, Lemma.self))
    var descriptor = FetchDescriptor<Lexicon>(sortBy: [SortDescriptor(\.name, comparator: .lexical)])
    descriptor.fetchLimit = 10
    let plan = try context.queryPlan(descriptor)
    #expect(plan.count == 1 && plan[0].hasSuffix("INDEX Lexicon_name_unique"), "\(plan)")
  }

  @Test("A saved model keeps its unique text's form in memory, which equals that of the row")
  func savedObjects() throws {
    let context = container.freshContext()
    let lexicon = Lexicon("cafe\u{301}")
    context.insert(lexicon)
    try context.save()
    let other = try container.freshContext().only(Lexicon.self)
    #expect(lexicon.name == other.name)
    #expect(lexicon.name.unicodeScalars.count == 5)
    #expect(other.name.unicodeScalars.count == 4)
    context.insert(Lexicon("caf\u{e9}"))
    try context.save()
    #expect(try context.only(Lexicon.self).name == other.name)
    #expect(!context.hasChanges)
  }
}
