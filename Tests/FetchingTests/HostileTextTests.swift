import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// Compares each text with all others, in columns and in JSON, in all operations of predicates.
@Suite("Hostile texts")
struct HostileTextTests {
  /// Texts whose order is the same in Swift and by code points.
  static let texts = RandomFleet.words

  private static let container = Result {
    let container = try ModelContainer(
      for: Voyage.self, SteamVoyage.self, Captain.self, Country.self, Licence.self, Harbor.self, Crate.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let writer = ModelContext(container)
    for (index, text) in texts.enumerated() {
      let voyage = Voyage(text)
      writer.insert(voyage)
      voyage.note = index % 7 == 0 ? nil : text
      voyage.words = words(at: index)
      voyage.berth.pier = text
      voyage.stops = [Berth(pier: text, number: index), Berth(pier: "pier", number: 1)]
      voyage.ranks = [text: 1, "other": 2]
    }
    try writer.save()
    return container
  }

  private static func words(at index: Int) -> [String] {
    index % 11 == 0 ? [] : [texts[index], texts[(index + 1) % texts.count]]
  }

  private func check(_ predicates: [Predicate<Voyage>]) throws {
    let oracle = try PredicateOracle(Self.container.get())
    for predicate in predicates {
      // Results computed in memory would be correct whatever SQL does.
      #expect(try oracle.context.select(predicate).isExact, "\(PredicateDescription.shape(of: predicate.expression))")
      let complaint = try oracle.complaint(about: predicate)
      #expect(complaint == nil, "\(PredicateDescription.shape(of: predicate.expression))")
    }
  }

  @Test("Text properties are searched and compared as in Swift", arguments: texts)
  func columns(text: String) throws {
    let same = ComparisonResult.orderedSame
    let count = text.count
    let list = (0..<300).map { "filling \($0)" } + [text]
    try check([
      #Predicate { $0.name == text }, #Predicate { $0.name < text }, #Predicate { $0.name >= text },
      #Predicate { $0.name.contains(text) }, #Predicate { $0.name.starts(with: text) },
      #Predicate { text.contains($0.name) }, #Predicate { text.starts(with: $0.name) },
      #Predicate { $0.name.localizedStandardContains(text) }, #Predicate { $0.name.count == count },
      #Predicate { $0.name.caseInsensitiveCompare(text) == same },
      #Predicate { $0.name.localizedCompare(text) == same },
      #Predicate { $0.note?.starts(with: text) == true }, #Predicate { $0.note == text },
      #Predicate { ($0.note ?? text) == $0.name }, #Predicate { $0.berth.pier.contains(text) },
      #Predicate { list.contains($0.name) }, #Predicate { [text].contains($0.name) },
      #Predicate { $0.name.contains(/^.$/) },
    ])
  }

  @Test("Texts in arrays are searched and compared as in Swift", arguments: texts)
  func elements(text: String) throws {
    let count = text.count
    let list = (0..<300).map { "filling \($0)" } + [text]
    try check([
      #Predicate { $0.words.contains(text) }, #Predicate { $0.words.contains { $0 == text } },
      #Predicate { $0.words.contains { $0.starts(with: text) } },
      #Predicate { $0.words.contains { $0.contains(text) } },
      #Predicate { $0.words.allSatisfy { $0.starts(with: text) } }, #Predicate { $0.words.allSatisfy { $0 != text } },
      #Predicate { $0.words.contains { text.contains($0) } }, #Predicate { $0.words.contains { $0.count == count } },
      #Predicate { $0.words.contains { $0.localizedStandardContains(text) } },
      #Predicate { $0.words.contains { $0 < text } }, #Predicate { $0.words.first == text },
      #Predicate { $0.words.count > 1 && $0.words[1] == text },
      #Predicate { $0.words.count > 1 && $0.words[1].starts(with: text) },
      #Predicate { $0.words.max() == text }, #Predicate { $0.words.min() == text },
      #Predicate { $0.words.filter { $0.contains(text) }.count == 1 },
      #Predicate { $0.words.contains { list.contains($0) } },
    ])
  }

  @Test("Texts in structures and dictionaries stored as JSON are compared as in Swift", arguments: texts)
  func fields(text: String) throws {
    try check([
      #Predicate { $0.stops.contains { $0.pier == text } }, #Predicate { $0.stops.contains { $0.pier.contains(text) } },
      #Predicate { $0.stops.allSatisfy { $0.pier.starts(with: text) } }, #Predicate { $0.ranks[text] == 1 },
      #Predicate { $0.ranks[text, default: 7] == 7 },
    ])
  }

  // Names are unique, and equal texts have one row.
  @Test(
    "Texts keep their scalars in arrays and columns",
    arguments: texts.filter { text in texts.count { $0 == text } == 1 })
  func roundTrip(text: String) throws {
    let context = ModelContext(try Self.container.get())
    let voyage = try #require(
      try context.fetch(FetchDescriptor<Voyage>(predicate: #Predicate { $0.name == text })).first)
    let words = Self.words(at: try #require(Self.texts.firstIndex(of: text)))
    #expect(voyage.words.map { Array($0.unicodeScalars) } == words.map { Array($0.unicodeScalars) })
    #expect(Array(voyage.berth.pier.unicodeScalars) == Array(text.unicodeScalars))
  }
}
