import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Enumerations in predicates, sort orders and groups")
struct EnumerationPredicateTests {
  private let context: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: Dossier.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let writer = ModelContext(container)
    for number in 0..<12 { writer.insert(Dossier(number)) }
    try writer.save()
    context = ModelContext(container)
  }

  /// The numbers for which a predicate is true in the store, which must be the same in Swift.
  private func numbers(_ predicate: Predicate<Dossier>) throws -> [Int] {
    let expected = try context.fetch(FetchDescriptor<Dossier>()).filter { try predicate.evaluate($0) }.map(\.number)
    context.allowsInMemoryEvaluation = false
    defer { context.allowsInMemoryEvaluation = true }
    let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.number)
    #expect(found == expected)
    return found
  }

  @Test("Predicates may compare the raw values of an enumeration")
  func rawValues() throws {
    #expect(try numbers(#Predicate { $0.kind.rawValue == "letter" }) == [1, 3, 5, 7, 9, 11])
    #expect(try numbers(#Predicate { $0.state.rawValue.starts(with: "o") }) == [1, 4, 7, 10])
    #expect(try numbers(#Predicate { $0.formerState?.rawValue == "offen" }) == [1, 3, 5, 7, 9, 11])
    #expect(try numbers(#Predicate { $0.level.rawValue > 100 }) == [0, 3, 6, 9])
    #expect(try numbers(#Predicate { $0.origin.rawValue == 7 }).count == 12)
  }

  @Test("Computed properties of an enumeration are evaluated for each case")
  func properties() throws {
    #expect(try numbers(#Predicate { $0.kind.isPaid }) == [0, 2, 4, 6, 8, 10])
    #expect(try numbers(#Predicate { $0.state.title == "Open" }) == [1, 4, 7, 10])
    #expect(try numbers(#Predicate { !$0.state.isOpen }).count == 8)
    #expect(try numbers(#Predicate { $0.formerState?.isOpen == true }) == [1, 3, 5, 7, 9, 11])
    #expect(try numbers(#Predicate { $0.formerState?.title == nil }) == [0, 4, 8])
    #expect(try numbers(#Predicate { $0.level.isHigh }) == [0, 3, 6, 9])
    #expect(try numbers(#Predicate { $0.origin.name == "by mail" }).count == 12)
  }

  @Test("Comparisons and sort orders use an enumeration's own order")
  func order() throws {
    let open = DossierState.open
    #expect(try numbers(#Predicate { $0.state < open }) == [])
    #expect(try numbers(#Predicate { $0.state > open }) == [0, 2, 3, 5, 6, 8, 9, 11])
    context.allowsInMemoryEvaluation = false
    var sorted = FetchDescriptor<Dossier>(sortBy: [SortDescriptor(\.state), SortDescriptor(\.number)])
    #expect(try context.fetch(sorted).map(\.number) == [1, 4, 7, 10, 0, 3, 6, 9, 2, 5, 8, 11])
    sorted.sortBy = [SortDescriptor(\.formerState, order: .reverse), SortDescriptor(\.number)]
    #expect(try context.fetch(sorted).map(\.number) == [2, 6, 10, 1, 3, 5, 7, 9, 11, 0, 4, 8])
  }

  @Test("Enumeration cases are found in arrays, sets and dictionaries")
  func elements() throws {
    let (letter, open) = (Dossier.Kind.letter, DossierState.open)
    let low: DossierLevel? = .low
    #expect(try numbers(#Predicate { $0.kinds.contains(letter) }) == [1, 2, 4, 5, 7, 8, 10, 11])
    #expect(try numbers(#Predicate { $0.kinds.contains { $0.isPaid } }) == [2, 4, 8, 10])
    #expect(try numbers(#Predicate { $0.kinds.first == letter }).count == 8)
    #expect(try numbers(#Predicate { $0.states.contains(open) }) == [2, 3, 6, 7, 10, 11])
    #expect(try numbers(#Predicate { $0.states.contains { $0 == open } }) == [2, 3, 6, 7, 10, 11])
    #expect(try numbers(#Predicate { $0.states.contains($0.state) }) == [3, 6, 7, 9, 10, 11])
    #expect(try numbers(#Predicate { $0.levels.contains(low) }) == [2, 6, 10])
    #expect(try numbers(#Predicate { $0.levels.contains { $0?.isHigh == true } }) == [3, 7, 11])
    #expect(try numbers(#Predicate { $0.votes["ann"] == open }) == [4, 10])
  }

  @Test("Enumeration cases are found in structures, with or without columns")
  func structures() throws {
    let open = DossierState.open
    #expect(try numbers(#Predicate { $0.place.state.isOpen }) == [0, 3, 6, 9])
    #expect(try numbers(#Predicate { $0.place.level?.rawValue == 200 }) == [1, 3, 5, 7, 9, 11])
    #expect(try numbers(#Predicate { $0.formerPlace?.state.title == "Open" }) == [0, 3, 6, 9])
    #expect(try numbers(#Predicate { $0.places.contains { $0.state == open } }) == [3, 9])
    #expect(try numbers(#Predicate { $0.places.contains { $0.state.isOpen } }) == [3, 9])
  }

  @Test("An enumeration whose JSON is not its raw value is compared in memory")
  func ownEncoding() throws {
    let red = DossierMark.red
    let isRed = #Predicate<Dossier> { $0.marks.contains(red) }
    #expect(try context.fetch(FetchDescriptor(predicate: isRed)).map(\.number) == [0, 2, 4, 6, 8, 10])
    context.allowsInMemoryEvaluation = false
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(FetchDescriptor(predicate: isRed)) }
  }

  @Test("An enumeration with ambiguous raw values is evaluated in memory")
  func ambiguousRawValues() throws {
    let isLight = #Predicate<Dossier> { $0.shade.isLight }
    #expect(try context.fetch(FetchDescriptor(predicate: isLight)).map(\.number) == [0, 2, 4, 6, 8, 10])
    context.allowsInMemoryEvaluation = false
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(FetchDescriptor(predicate: isLight)) }
  }

  @Test("Models are grouped by the cases of an enumeration")
  func groups() throws {
    let groups = try context.fetchGroups(by: \Dossier.state, computing: .count)
    #expect(Dictionary(uniqueKeysWithValues: groups.map { ($0.key, $0.value) }) == [.draft: 4, .open: 4, .closed: 4])
  }
}
