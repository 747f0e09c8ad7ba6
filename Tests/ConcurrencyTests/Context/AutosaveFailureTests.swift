import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Autosaves that fail", .timeLimit(.minutes(5)))
struct AutosaveFailureTests {
  private let container: ModelContainer
  private let turns = Turns()

  init() throws {
    container = try makeRules()
  }

  private func storedTeamCount() throws -> Int {
    try container.freshContext().fetchCount(FetchDescriptor<Team>())
  }

  /// A context that saves by itself, and has a team that has no player though it needs one.
  @MainActor
  private func makeContext(isMain: Bool = false) -> (context: ModelContext, team: Team) {
    let context = isMain ? container.mainContext : ModelContext(container)
    context.autosaveEnabled = true
    let team = Team("t")
    turns.during { context.insert(team) }
    return (context, team)
  }

  @Test("A failure loses nothing and is told, and the next change leads to another try", arguments: [true, false])
  @MainActor
  func triedAgain(isMain: Bool) throws {
    let (context, team) = makeContext(isMain: isMain)
    let failures = Listener(ModelContext.autosaveDidFail, of: context)
    #expect(context.autosaveFailure == nil)
    turns.end()
    #expect(context.hasChanges)
    #expect(context.autosaveFailure as? SwiftDataError == .modelValidationFailure)
    #expect(failures.errors as? [SwiftDataError] == [.modelValidationFailure])
    // Without a change it is not.
    #expect(turns.count == 0)
    turns.during { team.players = [Player("p")] }
    #expect(turns.count == 1)
    turns.end()
    #expect(!context.hasChanges)
    #expect(context.autosaveFailure == nil)
    #expect(failures.count == 1)
    #expect(try storedTeamCount() == 1)
  }

  @Test("A failure is over with a save by hand that succeeds, or with a rollback", arguments: [true, false])
  @MainActor
  func over(isSaved: Bool) throws {
    let (context, team) = makeContext()
    turns.end()
    #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(context.autosaveFailure != nil)
    try turns.during {
      if isSaved {
        team.players = [Player("p")]
        try context.save()
      } else {
        context.rollback()
      }
    }
    #expect(context.autosaveFailure == nil)
    #expect(try storedTeamCount() == (isSaved ? 1 : 0))
  }

  enum Act: CaseIterable {
    case saving, rollingBack, fetching
  }

  @Test("An observer of a failure can save, roll back or fetch", arguments: Act.allCases)
  @MainActor
  func observer(_ act: Act) throws {
    let (context, team) = makeContext()
    let failures = Listener(ModelContext.autosaveDidFail, of: context)
    let found = Held(0)
    failures.action = {
      switch act {
      case .saving:
        team.players = [Player("p")]
        try context.save()
      case .rollingBack: context.rollback()
      case .fetching: found.put(try context.fetchCount(FetchDescriptor<Team>()))
      }
    }
    turns.end()
    turns.end()
    #expect(failures.count == 1)
    #expect(context.hasChanges == (act == .fetching))
    #expect((context.autosaveFailure == nil) == (act != .fetching))
    #expect(found.value == (act == .fetching ? 1 : 0))
    #expect(try storedTeamCount() == (act == .saving ? 1 : 0))
  }

  @Test("An observer that changes something at each failure leads to one try a turn")
  @MainActor
  func changingObserver() throws {
    let (context, team) = makeContext()
    let failures = Listener(ModelContext.autosaveDidFail, of: context)
    failures.action = { team.name += "t" }
    for number in 1...5 {
      turns.end()
      #expect(failures.count == number)
      #expect(turns.count == 1)
    }
    #expect(team.name == "tttttt")
    #expect(try storedTeamCount() == 0)
  }

  @Test("To insert a model once more is a change after which the save is tried again")
  @MainActor
  func insertedAgain() throws {
    let configuration = UnreliableConfiguration()
    let container = try ModelContainer(for: Author.self, Book.self, Tag.self, configurations: configuration)
    let context = container.mainContext
    let tag = Tag("a")
    configuration.ledger.edit { $0.failsToWrite = true }
    turns.during { context.insert(tag) }
    turns.end()
    #expect(context.autosaveFailure != nil)
    configuration.ledger.edit { $0.failsToWrite = false }
    turns.during { context.insert(tag) }
    turns.end()
    #expect(context.autosaveFailure == nil)
    #expect(!context.hasChanges)
    #expect(configuration.ledger.written.inserted == 1)
  }

  @Test("A context that could not save goes away with the last that holds it")
  @MainActor
  func released() async throws {
    weak var graph: ObjectGraph?
    do {
      let context = makeContext().context
      graph = context.graph
      turns.end()
      #expect(context.autosaveFailure != nil)
    }
    #expect(await isGone(graph))
  }
}
