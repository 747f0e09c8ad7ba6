import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Model
final class LoggedOffice {
  var name: String
  @Relationship(deleteRule: .nullify, inverse: \LoggedClerk.office) var clerks: [LoggedClerk] = []
  @Relationship(deleteRule: .noAction, inverse: \LoggedClerk.former) var retired: [LoggedClerk] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class LoggedClerk {
  var name: String
  var office: LoggedOffice?
  var former: LoggedOffice?

  init(_ name: String) {
    self.name = name
  }
}

/// A save records nothing of owners that another context has deleted meanwhile.
@Suite("History of deleted owners")
struct HistoryDeletedOwnerTests {
  /// The reference to the deleted owner.
  enum Link: CaseIterable {
    case saved
    /// A reference without an inverse, which the deletion does not change.
    case savedOneWay
    /// A pending change.
    case pending, pendingOneWay
  }

  enum Change: CaseIterable {
    case removal, deletion, removalAndDeletion
  }

  @Test("An owner that another context deleted is not recorded as updated", arguments: Link.allCases, Change.allCases)
  func isGone(link: Link, change: Change) throws {
    for isAnotherContainer in [false, true] {
      for hasTaken in [false, true] { try run(link, change, isAnotherContainer, hasTaken) }
    }
  }

  /// - Parameter isEarly: Whether the member changes before the deletion of the owner.
  private func run(_ link: Link, _ change: Change, _ isAnotherContainer: Bool, _ isEarly: Bool) throws {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContainer {
      try ModelContainer(
        for: LoggedOffice.self, LoggedClerk.self, configurations: ModelConfiguration(url: folder.file()))
    }
    let container = try open()
    let setting = ModelContext(container)
    let (office, clerk) = (LoggedOffice("o"), LoggedClerk("c"))
    setting.insert(office)
    setting.insert(clerk)
    if link == .saved { clerk.office = office }
    if link == .savedOneWay { clerk.former = office }
    try setting.save()
    let gone = office.persistentModelID

    let context = ModelContext(container)
    let mine = try #require(try context.fetch(FetchDescriptor<LoggedClerk>()).first)
    let home = try #require(try context.fetch(FetchDescriptor<LoggedOffice>()).first)
    #expect(link == .saved ? mine.office === home : link == .savedOneWay ? mine.former === home : mine.office == nil)
    if link == .pending { mine.office = home }
    if link == .pendingOneWay { mine.former = home }
    func execute() {
      if change != .deletion { (mine.office, mine.former) = (nil, nil) }
      mine.name = "changed"
      if change != .removal { context.delete(mine) }
    }
    if isEarly { execute() }
    let other = ModelContext(isAnotherContainer ? try open() : container)
    try other.delete(model: LoggedOffice.self)
    try other.save()
    if !isEarly {
      try context.processChanges()
      execute()
    }
    do {
      try context.save()
    } catch let error as SwiftDataError {
      // A refused save is not recorded either.
      print("refused", link, change, isAnotherContainer, isEarly, error.details?.message ?? "")
      context.rollback()
      return
    }
    let last = try #require(try container.logged().last)
    #expect(
      !last.logged.contains { $0.identifier == gone && $0.kind != .delete },
      "\(link), \(change), other container: \(isAnotherContainer), early: \(isEarly): \(last.logged)")
    withExtendedLifetime((folder, home)) {}
  }
}

extension ModelContext {
  /// Makes the context merge other contexts' saves.
  fileprivate func processChanges() throws {
    _ = try fetchCount(FetchDescriptor<LoggedOffice>())
    _ = try fetch(FetchDescriptor<LoggedOffice>())
  }
}
