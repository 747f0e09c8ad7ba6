import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Values whose encoding calls the context that saves them")
struct EncodingCallbackTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let perches: [Perch]

  init() throws {
    container = try makeContainer(Perch.self)
    context = ModelContext(container)
    perches = (0..<4).map(Perch.init)
    for perch in perches { context.insert(perch) }
    perches[0].below = [perches[1], perches[2]]
    try context.save()
  }

  private func stored() throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Perch>(sortBy: [SortDescriptor(\.number)])).map {
      "\($0.number) \($0.parrot.word) above \($0.below.map(\.number).sorted())"
    }
  }

  enum Act: CaseIterable {
    case deletingItself, deletingAnother, deletingAnInsertion, deletingRows, inserting, changing, linking, rollingBack
    case saving
  }

  private func execute(_ act: Act, _ inserted: [Perch]) throws {
    switch act {
    case .deletingItself: context.delete(perches[3])
    case .deletingAnother: context.delete(perches[0])
    case .deletingAnInsertion: for perch in inserted { context.delete(perch) }
    case .deletingRows: try context.delete(model: Perch.self, where: #Predicate { $0.number < 2 })
    case .inserting: context.insert(Perch(100))
    case .changing: perches[2].number = 50
    case .linking: perches[1].above = perches[3]
    case .rollingBack: context.rollback()
    case .saving: try context.save()
    }
  }

  @Test(
    "A save fails when a value's encoding changes the context; it writes nothing and loses no change",
    arguments: Act.allCases
  )
  func changes(_ act: Act) throws {
    let before = try stored()
    let inserted = [Perch(10), Perch(11)]
    for perch in inserted { context.insert(perch) }
    perches[3].parrot = Parrot("new")
    perches[0].parrot = Parrot("new")
    let call = Parrot.Call { try execute(act, inserted) }
    let error = #expect(throws: SwiftDataError.self) {
      try Parrot.$whileEncoding.withValue(call) { try context.save() }
    }
    #expect(error == .modelValidationFailure)
    #expect((call.error != nil) == (act == .saving || act == .deletingRows))
    #expect(try stored() == before)
    expectSound(context)
    try context.save()
    let after = try stored()
    #expect(after.contains("3 new above []") == (act != .deletingItself && act != .rollingBack && act != .linking))
    #expect(after.contains { $0.hasPrefix("10 ") } == (act != .deletingAnInsertion && act != .rollingBack))
    #expect(after.contains { $0.hasPrefix("100 ") } == (act == .inserting))
    #expect(after.contains { $0.hasPrefix("50 ") } == (act == .changing))
    #expect(after.filter { $0.hasPrefix("10 ") }.count < 2)
    expectSound(context)
  }

  @Test("A save fails when a value's encoding uses the store, which would show uncommitted data", arguments: 0..<5)
  func use(_ act: Int) throws {
    let before = try stored()
    let other = ModelContext(container)
    let others = try other.fetch(FetchDescriptor<Perch>(sortBy: [SortDescriptor(\.number)]))
    let unread = ModelContext(container)
    let fault = try #require(unread.model(for: perches[1].persistentModelID) as? Perch)
    perches[3].parrot = Parrot("new")
    perches[0].number = 33
    let inserted = Perch(10)
    context.insert(inserted)
    let call = Parrot.Call {
      switch act {
      case 0: _ = try context.fetch(FetchDescriptor<Perch>())
      case 1: _ = try unread.fetchCount(FetchDescriptor<Perch>())
      case 2: _ = fault.number
      case 3: try container.erase()
      default:
        others[2].number = 70
        try other.save()
      }
    }
    #expect(throws: SwiftDataError.self) { try Parrot.$whileEncoding.withValue(call) { try context.save() } }
    #expect((call.error == nil) == (act == 2))
    #expect(try stored() == before)
    expectSound(context)
    try context.save()
    #expect(inserted.modelContext === context)
    let saved = try stored()
    #expect(saved.contains("33 0 above [1, 2]") && saved.contains("3 new above []"))
    #expect(saved.count == 5)
    try? other.save()
    #expect(try stored().contains { $0.hasPrefix("70 ") } == (act == 4))
  }

  @Test("A value's encoding may read models in memory during a save")
  func looks() throws {
    perches[3].parrot = Parrot("new")
    perches[0].number = 20
    let call = Parrot.Call { #expect(perches[0].below.map(\.number) == [1, 2]) }
    try Parrot.$whileEncoding.withValue(call) { try context.save() }
    #expect(call.error == nil)
    #expect(try stored().contains("3 new above []"))
  }
}
