import Foundation
import HelperPrograms
import KillTestModels
import Testing

@testable import SwiftData
@testable import TestSupport

/// Three contexts change and save at random while another process inserts, changes and deletes models of the same file, until
/// it is killed. Then observers of one of the contexts equal a fetch, and so do lists that apply differences.
@Suite("Live results beside another process")
@MainActor
struct OtherProcessTests {
  /// The results of a descriptor, as an observer and as a list have them.
  @MainActor
  private final class Shown<Element: PersistentModel> {
    private let descriptor: FetchDescriptor<Element>
    private let observer: ResultsObserver<Element, Never>
    private let list: FakeList<Element>
    private let connection: ResultsConnection

    init(_ descriptor: FetchDescriptor<Element>, _ context: ModelContext, text: @escaping (Element) -> String) throws {
      self.descriptor = descriptor
      observer = try ResultsObserver(fetchDescriptor: descriptor, modelContext: context)
      list = FakeList(text)
      connection = observer.connect(list)
    }

    func isRight() throws -> Bool {
      let expected = try observer.modelContext.fetch(descriptor)
      connection.update()
      return observer.results.elementsEqual(expected, by: ===) && list.rows.elementsEqual(expected, by: ===)
        && list.texts == expected.map(list.text)
    }
  }

  @MainActor
  private final class Run {
    private var random: SeededGenerator
    private let contexts: [ModelContext]
    private var checks: [() throws -> Bool] = []

    init(seed: UInt64, _ container: ModelContainer) throws {
      random = SeededGenerator(seed: seed)
      contexts = [container.mainContext, ModelContext(container), ModelContext(container)]
      contexts[0].autosaveEnabled = false
      var page = FetchDescriptor<Ledger>(sortBy: [
        SortDescriptor(\.revision), SortDescriptor(\.number, order: .reverse),
      ])
      page.fetchOffset = 2
      page.fetchLimit = 4
      try showLedgers(page)
      try showLedgers(FetchDescriptor(predicate: #Predicate { $0.revision == 0 }, sortBy: [SortDescriptor(\.number)]))
      try showLedgers(FetchDescriptor(predicate: #Predicate { $0.entries.contains { $0.amount % 3 == 0 } }))
      try showLedgers(
        FetchDescriptor(predicate: #Predicate { $0.marks.count > 1 }, sortBy: [SortDescriptor(\.blobSize)]))
      try showEntries(FetchDescriptor(sortBy: [SortDescriptor(\.amount)]))
      try showEntries(FetchDescriptor(predicate: #Predicate { $0.ledger == nil || $0.amount < 900 }))
      try showEntries(
        FetchDescriptor(
          predicate: #Predicate { $0.ledger?.revision == 1 }, sortBy: [SortDescriptor(\.ledger?.number)]))
      try show(FetchDescriptor<Mark>(sortBy: [SortDescriptor(\.word)]), text: \.word)
    }

    private func showLedgers(_ descriptor: FetchDescriptor<Ledger>) throws {
      try show(descriptor) { "\($0.number) \($0.revision)" }
    }

    private func showEntries(_ descriptor: FetchDescriptor<Entry>) throws {
      try show(descriptor) { "\($0.amount)" }
    }

    private func show<Element: PersistentModel>(
      _ descriptor: FetchDescriptor<Element>, text: @escaping (Element) -> String
    ) throws {
      let shown = try Shown(descriptor, contexts[0], text: text)
      checks.append { try shown.isRight() }
    }

    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    /// Makes a change. It deletes no ledger and no mark, which the other process still uses.
    func step() throws {
      let context = contexts[number(3)]
      let ledger = try context.fetch(FetchDescriptor<Ledger>()).randomElement(using: &random)
      let entry = try context.fetch(FetchDescriptor<Entry>()).randomElement(using: &random)
      switch number(10) {
      case 0:
        let entry = Entry(amount: number(1000))
        context.insert(entry)
        entry.ledger = ledger
      case 1: entry?.amount = number(1000)
      case 2: entry?.ledger = number(3) == 0 ? nil : ledger
      case 3: if let entry { context.delete(entry) }
      case 4: ledger?.revision += number(2)
      case 5: context.insert(Mark(word: "own \(number(20))"))
      case 6:
        let own = try context.fetch(FetchDescriptor<Mark>(predicate: #Predicate { $0.word.starts(with: "own") }))
        if let mark = own.randomElement(using: &random) { context.delete(mark) }
      case 7: if number(4) == 0 { context.rollback() }
      default:
        do { try context.save() } catch SwiftDataError.modelValidationFailure { context.rollback() }
      }
    }

    func wrongChecks() throws -> [Int] {
      try checks.indices.filter { try !checks[$0]() }
    }
  }

  @Test("Results and differences are correct after another process's writes")
  func followsProcess() async throws {
    let seed = TestOptions.seed
    let folder = try TemporaryFolder()
    let run = try Run(seed: seed, try openLedgers(at: folder.file()))
    for round in 0..<max(1, TestOptions.randomOperations / 100) {
      let writer = try HelperProcess("KillTestWriter", [folder.file().path])
      for _ in 0..<1 + run.number(4) {
        for _ in 0..<run.number(8) { try run.step() }
        if writer.nextOutput().isEmpty { break }
      }
      writer.send(SIGKILL)
      let ending = try writer.end()
      #expect(ending.reason == .uncaughtSignal, "seed \(seed), round \(round): \(ending.complaint)")
      for _ in 0..<run.number(8) { try run.step() }
      let isTrue = try await comesTrue { try run.wrongChecks().isEmpty }
      let wrong = try run.wrongChecks()
      try #require(isTrue && wrong.isEmpty, "seed \(seed), round \(round): \(wrong)")
    }
  }
}
