import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Failing autosaves", .timeLimit(.minutes(5)))
struct AutosaveFailureTests {
  private let container: ModelContainer
  private let turns = Turns()

  init() throws {
    container = try makeRules()
  }

  private func storedTeamCount() throws -> Int {
    try container.freshContext().fetchCount(FetchDescriptor<Team>())
  }

  /// A context with autosave, and a team without the player that it requires.
  @MainActor
  private func makeContext(isMain: Bool = false) -> (context: ModelContext, team: Team) {
    let context = isMain ? container.mainContext : ModelContext(container)
    context.autosaveEnabled = true
    let team = Team("t")
    turns.during { context.insert(team) }
    return (context, team)
  }

  @Test(
    "A failed autosave keeps the changes and reports the error, and the next change retries it",
    arguments: [true, false])
  @MainActor
  func triedAgain(isMain: Bool) throws {
    let (context, team) = makeContext(isMain: isMain)
    let failures = NotificationCounter(ModelContext.autosaveDidFail, of: context)
    #expect(context.autosaveFailure == nil)
    turns.end()
    #expect(context.hasChanges)
    #expect(context.autosaveFailure as? SwiftDataError == .modelValidationFailure)
    #expect(failures.errors as? [SwiftDataError] == [.modelValidationFailure])
    // Without a change the save is not retried.
    #expect(turns.count == 0)
    turns.during { team.players = [Player("p")] }
    #expect(turns.count == 1)
    turns.end()
    #expect(!context.hasChanges)
    #expect(context.autosaveFailure == nil)
    #expect(failures.count == 1)
    #expect(try storedTeamCount() == 1)
  }

  @Test("A successful explicit save or a rollback clears autosaveFailure", arguments: [true, false])
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

  @Test("An observer of a failed autosave can save, roll back or fetch", arguments: Act.allCases)
  @MainActor
  func observer(_ act: Act) throws {
    let (context, team) = makeContext()
    let failures = NotificationCounter(ModelContext.autosaveDidFail, of: context)
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

  @Test("An observer that makes a change at each failure causes one retry for each turn")
  @MainActor
  func changingObserver() throws {
    let (context, team) = makeContext()
    let failures = NotificationCounter(ModelContext.autosaveDidFail, of: context)
    failures.action = { team.name += "t" }
    for number in 1...5 {
      turns.end()
      #expect(failures.count == number)
      #expect(turns.count == 1)
    }
    #expect(team.name == "tttttt")
    #expect(try storedTeamCount() == 0)
  }

  @Test("Inserting a model again is a change that retries the autosave")
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

  @Test("A context that could not save is released with its last reference")
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
