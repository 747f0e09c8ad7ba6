import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// Raw values that are equal strings with different bytes.
enum Drinks {
  enum Kind: String, Codable, CaseIterable {
    case coffee = "cafe\u{301}"
    case tea
    case kilo = "\u{212a}"
    case espresso = "\u{e9}"

    var isHot: Bool { self != .kilo }
    var label: String { self == .coffee ? "hot" : "\(rawValue)!" }
  }

  /// Not CaseIterable.
  enum Size: String, Codable {
    case small = "o\u{308}"
    case large
  }

  /// The cases do not determine the raw values.
  enum Label: RawRepresentable, Codable, Hashable {
    case blank
    case written(String)

    init?(rawValue: String) {
      self = rawValue.isEmpty ? .blank : .written(rawValue)
    }

    var rawValue: String {
      if case .written(let text) = self { text } else { "" }
    }
  }

  struct Cup: Codable, Hashable {
    var size: Size
    var label: Label
  }

  @Model
  final class Drink {
    #Unique<Drink>([\.kind, \.cup.size], [\.label], [\.name])

    var kind: Kind
    var cup: Cup
    var label: Label
    var name: Forms.Word
    var number: Int

    var plainKind: Kind
    var plainLabel: Label?
    var plainName: Forms.Word
    var menu: [Kind]

    init(_ kind: Kind, _ size: Size, label: String, number: Int) {
      self.kind = kind
      cup = Cup(size: size, label: .written(label))
      self.label = .written(label)
      name = Forms.Word(rawValue: label)
      self.number = number
      plainKind = kind
      plainLabel = number == 0 ? nil : .written(label)
      plainName = Forms.Word(rawValue: label)
      menu = [kind]
    }
  }

  static let composed = "caf\u{e9}"
  static let decomposed = "cafe\u{301}"
}

@Suite("Raw values that are equal strings with different bytes")
struct EqualRawValueTests {
  private typealias Drink = Drinks.Drink
  private typealias Kind = Drinks.Kind
  private let container: ModelContainer

  init() throws {
    container = try makeContainer(Drink.self)
  }

  private func fill() throws {
    let context = container.freshContext()
    let labels = [Drinks.composed, "n\u{303}", "\u{212a}", "tea", "K\u{300}", "", "o\u{308}", "plain"]
    for (number, label) in labels.enumerated() {
      context.insert(
        Drink(Kind.allCases[number % 4], number < 4 ? .small : .large, label: label, number: number))
    }
    try context.save()
  }

  /// Compares the numbers that a predicate selects in SQL with those in memory; repeated so that cached statements are used.
  private func expectSame(
    _ predicate: Predicate<Drinks.Drink>, finds count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let all = try container.freshContext().all(Drink.self, by: \.number)
    let expected = try all.filter { try predicate.evaluate($0) }.map(\.number)
    #expect(expected.count == count, sourceLocation: sourceLocation)
    for _ in 0..<3 {
      let context = container.freshContext()
      context.allowsInMemoryEvaluation = false
      let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.number)]))
      #expect(found.map(\.number) == expected, sourceLocation: sourceLocation)
    }
  }

  @Test("A predicate finds an enumeration case in unique and other columns", arguments: Drinks.Kind.allCases)
  func cases(kind: Drinks.Kind) throws {
    try fill()
    let (small, raw) = (Drinks.Size.small, kind.rawValue)
    try expectSame(#Predicate { $0.kind == kind }, finds: 2)
    try expectSame(#Predicate { $0.kind != kind }, finds: 6)
    try expectSame(#Predicate { $0.plainKind == kind }, finds: 2)
    try expectSame(#Predicate { $0.kind == kind && $0.cup.size == small }, finds: 1)
    try expectSame(#Predicate { $0.kind.rawValue == raw }, finds: 2)
    try expectSame(#Predicate { $0.plainKind.rawValue == raw }, finds: 2)
    try expectSame(#Predicate { $0.kind == $0.plainKind }, finds: 8)
    try expectSame(#Predicate { $0.menu.contains(kind) }, finds: 2)
    try expectSame(#Predicate { $0.kind.isHot }, finds: 6)
    try expectSame(#Predicate { $0.kind.label == "hot" }, finds: 2)
    let kinds = [kind, .tea]
    try expectSame(#Predicate { kinds.contains($0.kind) }, finds: kind == .tea ? 2 : 4)
    try expectSame(#Predicate { !kinds.contains($0.plainKind) }, finds: kind == .tea ? 6 : 4)
  }

  /// Captured texts, how many rows have one of them, and how many rows with an optional label do.
  static let captures: [(words: [String], count: Int, optionalCount: Int)] = [
    ([Drinks.composed], 1, 0), ([Drinks.decomposed], 1, 0), (["\u{f1}", "K", "missing"], 2, 2),
    (["K", "\u{212a}\u{300}"], 2, 2), ([], 0, 0),
  ]

  @Test("A predicate finds captured values as in memory, in unique and other columns", arguments: captures)
  func captured(words: [String], count: Int, optionalCount: Int) throws {
    try fill()
    let names = words.map { Forms.Word(rawValue: $0) }
    let set = Set(names)
    try expectSame(#Predicate { names.contains($0.name) }, finds: count)
    try expectSame(#Predicate { names.contains($0.plainName) }, finds: count)
    try expectSame(#Predicate { !names.contains($0.name) }, finds: 8 - count)
    try expectSame(#Predicate { set.contains($0.plainName) }, finds: count)
    let labels = words.compactMap { Drinks.Label(rawValue: $0) }
    try expectSame(#Predicate { labels.contains($0.label) }, finds: count)
    try expectSame(#Predicate { labels.contains($0.cup.label) }, finds: count)
    let optional: [Drinks.Label?] = labels + [nil]
    try expectSame(#Predicate { optional.contains($0.plainLabel) }, finds: optionalCount + 1)
  }

  @Test(
    "Cases with associated values are equal when their raw texts are", arguments: [Drinks.composed, Drinks.decomposed])
  func associatedValues(text: String) throws {
    try fill()
    let label = Drinks.Label.written(text)
    try expectSame(#Predicate { $0.label == label }, finds: 1)
    try expectSame(#Predicate { $0.label != label }, finds: 7)
    try expectSame(#Predicate { $0.cup.label == label }, finds: 1)
    try expectSame(#Predicate { $0.plainLabel != label }, finds: 8)
  }

  @Test("An upsert matches an enumeration case, also together with a field of a structure")
  func upserts() throws {
    try fill()
    let context = container.freshContext()
    context.insert(Drink(.coffee, .small, label: "new", number: 100))
    context.insert(Drink(.espresso, .large, label: "newer", number: 101))
    context.insert(Drink(.coffee, .small, label: "newest", number: 102))
    try context.save()
    let numbers = try container.freshContext().all(Drink.self, by: \.number).map(\.number)
    #expect(numbers == [1, 2, 3, 4, 5, 6, 101, 102])
    #expect(try container.freshContext().all(Drink.self, by: \.number).map(\.kind).last == .coffee)
  }

  @Test("Changing to a case that another row has is refused, in a model and in a batch update")
  func changes() throws {
    try fill()
    let context = container.freshContext()
    let drinks = try context.all(Drink.self, by: \.number)
    drinks[1].kind = .coffee
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    context.rollback()
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.update(Drink.self, where: #Predicate { $0.number < 2 }) { $0.set(\.kind, to: .coffee) }
    }
    try context.update(Drink.self, where: #Predicate { $0.number == 1 }) {
      $0.set(\.kind, to: #Expression<Drinks.Drink, Drinks.Kind> { $0.plainKind })
      $0.set(\.plainKind, to: .espresso)
    }
    let (coffee, espresso) = (Kind.coffee, Kind.espresso)
    try expectSame(#Predicate { $0.kind == coffee }, finds: 2)
    try expectSame(#Predicate { $0.plainKind == espresso }, finds: 3)
  }

  @Test("A predicate matches a stored raw value with different bytes, as an earlier release may have written")
  func otherForms() throws {
    let store = try MigratingStore()
    let context = ModelContext(try store.open([Drink.self]))
    context.insert(Drink(.coffee, .small, label: "a", number: 0))
    try context.save()
    for form in [Drinks.composed, Drinks.decomposed] {
      try StoreFiles.execute("UPDATE Drink SET kind = '\(form)', plainKind = '\(form)'", at: store.url)
      let coffee = Kind.coffee
      let other = ModelContext(context.container)
      let predicate = #Predicate<Drinks.Drink> { $0.kind == coffee && $0.plainKind == coffee && $0.kind.isHot }
      #expect(try other.fetch(FetchDescriptor(predicate: predicate)).map(\.kind) == [.coffee])
      #expect(try other.fetchDistinct(of: \Drinks.Drink.plainKind) == [.coffee])
    }
  }

  @Test("Enumerations with ASCII raw values are compared by their bytes and can use an index")
  func plain() {
    #expect(EnumerationCases.arePlainTexts(of: Bulk.State.self))
    let others: [Any.Type] = [
      Kind.self, Drinks.Size.self, Drinks.Label.self, Forms.Word.self, String.self, Enumerations.self,
    ]
    for type in others { #expect(!EnumerationCases.arePlainTexts(of: type)) }
  }
}
