import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("An issue tracker with unsaved changes")
struct IssuePendingTests {
  private let context: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: TrackedProject.self, TrackedIssue.self, TrackerUser.self, IssueLabel.self, IssueComment.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let writer = ModelContext(container)
    let project = TrackedProject(key: "P", name: "Project")
    let ann = TrackerUser("ann")
    let ben = TrackerUser("ben")
    let label = IssueLabel("bug")
    for number in 1...6 {
      let issue = TrackedIssue(number, "Issue", in: project, createdAt: Timeline.date(2024, 1, number))
      writer.insert(issue)
      issue.assignee = number.isMultiple(of: 2) ? ann : ben
      issue.labels = number > 3 ? [label] : []
      issue.estimate = number
      writer.insert(IssueComment("Comment", by: ann, on: issue, at: Timeline.date(2024, 1, number)))
    }
    try writer.save()
    context = ModelContext(container)
  }

  private func numbers(_ predicate: Predicate<TrackedIssue>) throws -> [Int] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.number)])).map(\.number)
  }

  private func user(_ login: String) throws -> TrackerUser {
    try #require(try context.fetch(FetchDescriptor<TrackerUser>(predicate: #Predicate { $0.login == login })).first)
  }

  @Test("Deleting a person removes their assignments, though no issue was read")
  func deletedAssignee() throws {
    let ann = try user("ann")
    let identifier = ann.persistentModelID
    context.delete(ann)
    for _ in 0..<2 {
      #expect(try numbers(#Predicate { $0.assignee == nil }) == [2, 4, 6])
      #expect(try numbers(#Predicate { $0.assignee?.persistentModelID == identifier }) == [])
      #expect(try numbers(#Predicate { $0.assignee?.login == "ann" }) == [])
      let groups = try context.fetchGroups(by: \TrackedIssue.assignee?.login, computing: .count)
      #expect(groups.map(\.key) == [nil, "ben"])
      #expect(groups.map(\.value) == [3, 3])
      try context.save()
    }
  }

  @Test("Deleting a label removes it from issues, and deleting a project deletes its issues")
  func deletedTargets() throws {
    try context.delete(model: IssueLabel.self)
    #expect(try numbers(#Predicate { $0.labels.isEmpty }) == [1, 2, 3, 4, 5, 6])
    #expect(try numbers(#Predicate { $0.labels.count == 1 }) == [])
    try context.delete(model: TrackedProject.self)
    #expect(try numbers(#Predicate { _ in true }) == [])
    #expect(try context.fetchCount(FetchDescriptor<IssueComment>()) == 0)
    context.rollback()
    #expect(try numbers(#Predicate { $0.labels.count == 1 }) == [4, 5, 6])
    #expect(try context.fetchCount(FetchDescriptor<IssueComment>()) == 6)
  }

  @Test("Issues are found by links set on the other side of a relationship")
  func otherSide() throws {
    let ann = try user("ann")
    let ben = try user("ben")
    let identifier = ben.persistentModelID
    ben.assigned += ann.assigned
    #expect(try numbers(#Predicate { $0.assignee?.persistentModelID == identifier }) == [1, 2, 3, 4, 5, 6])
    ben.assigned = []
    #expect(try numbers(#Predicate { $0.assignee == nil }) == [1, 2, 3, 4, 5, 6])
    #expect(try context.fetchCount(FetchDescriptor<TrackerUser>(predicate: #Predicate { $0.assigned.isEmpty })) == 2)
    context.rollback()
    #expect(try numbers(#Predicate { $0.assignee == nil }) == [])
    #expect(ann.assigned.count == 3)
  }

  @Test("Issues are sorted and paged by the unsaved name of an assignee")
  func renamedAssignee() throws {
    let ann = try user("ann")
    var page = FetchDescriptor<TrackedIssue>(
      sortBy: [SortDescriptor(\.assignee?.login, order: .reverse), SortDescriptor(\.number)])
    page.fetchLimit = 4
    #expect(try context.fetch(page).map(\.number) == [1, 3, 5, 2])
    ann.login = "zoe"
    #expect(try context.fetch(page).map(\.number) == [2, 4, 6, 1])
    page.fetchOffset = 4
    for _ in 0..<2 {
      #expect(try context.fetch(page).map(\.number) == [3, 5])
      #expect(try context.fetchAggregates(.sum(of: \.estimate), matching: page) == 8)
      try context.save()
    }
  }

  @Test("An issue is found by its identifier before and after the save")
  func identifiers() throws {
    let epic = TrackedIssue(9, "Epic", in: nil, createdAt: Timeline.date(2024, 1, 9))
    let part = TrackedIssue(10, "Part", in: nil, createdAt: Timeline.date(2024, 1, 10))
    context.insert(epic)
    part.parent = epic
    for _ in 0..<2 {
      let identifier = epic.persistentModelID
      #expect(try numbers(#Predicate { $0.persistentModelID == identifier }) == [9])
      #expect(try numbers(#Predicate { $0.parent?.persistentModelID == identifier }) == [10])
      try context.save()
    }
  }

  @Test("Another context's save is merged, and both contexts' changes are kept")
  func otherContext() throws {
    let other = ModelContext(context.container)
    let first = FetchDescriptor<TrackedIssue>(predicate: #Predicate { $0.number == 1 })
    let mine = try #require(try context.fetch(first).first)
    let theirs = try #require(try other.fetch(first).first)
    theirs.title = "Changed"
    theirs.labels = try other.fetch(FetchDescriptor<IssueLabel>())
    try other.save()
    #expect(try numbers(#Predicate { $0.title == "Changed" }) == [1])
    #expect(try numbers(#Predicate { $0.labels.count == 1 }) == [1, 4, 5, 6])
    #expect(mine.labels.map(\.name) == ["bug"])
    mine.priority = .urgent
    try context.save()
    let stored = try #require(try ModelContext(context.container).fetch(first).first)
    #expect(stored.priority == .urgent && stored.title == "Changed")
  }
}
