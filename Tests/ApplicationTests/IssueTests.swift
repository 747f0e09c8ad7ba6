import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("An issue tracker")
struct IssueTests {
  private typealias Issue = TrackedIssue

  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: TrackedProject.self, Issue.self, TrackerUser.self, IssueLabel.self, IssueComment.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let app = TrackedProject(key: "APP", name: "The app")
    let web = TrackedProject(key: "WEB", name: "Web site")
    let ada = TrackerUser("ada")
    let ben = TrackerUser("ben")
    let bug = IssueLabel("bug")
    let crash = IssueLabel("crash")
    let idea = IssueLabel("idea")
    func day(_ day: Int) -> Date { Timeline.date(2024, 3, day) }
    let epic = Issue(1, "Release", in: app, createdAt: day(1))
    let freeze = Issue(2, "Freezes on launch", in: app, priority: .urgent, createdAt: day(2))
    let icon = Issue(3, "New icon", in: app, priority: .low, createdAt: day(3))
    let docs = Issue(4, "Écrire the docs", in: app, createdAt: day(4))
    let server = Issue(5, "Server down", in: web, priority: .urgent, createdAt: day(5))
    let typo = Issue(6, "Typo", in: web, priority: .low, createdAt: day(6))
    for issue in [epic, freeze, icon, docs, server, typo] { context.insert(issue) }
    epic.parts = [freeze, icon, docs]
    epic.blockers = [freeze, docs]
    docs.blockers = [icon]
    freeze.assignee = ada
    freeze.reporter = ben
    freeze.watchers = [ada, ben]
    freeze.labels = [bug, crash]
    freeze.dueAt = day(10)
    freeze.estimate = 5
    freeze.state = .active
    icon.assignee = ben
    icon.state = .closed
    icon.closedAt = day(8)
    icon.estimate = 2
    icon.labels = [idea]
    docs.estimate = 3
    docs.assignee = ada
    docs.fields = ["sprint": "7"]
    server.reporter = ada
    server.labels = [bug]
    server.state = .closed
    server.closedAt = day(6)
    server.dueAt = day(5)
    typo.dueAt = day(30)
    typo.fields = ["sprint": "8", "browser": "any"]
    context.insert(IssueComment("@ada can you look?", by: ben, on: freeze, at: day(3)))
    context.insert(IssueComment("On it", by: ada, on: freeze, at: day(9)))
    context.insert(IssueComment("Restarted", by: ben, on: server, at: day(6)))
    context.insert(IssueComment("What about @ada?", by: nil, on: icon, at: day(4)))
    try context.save()
  }

  private func numbers(_ predicate: Predicate<Issue>) throws -> [Int] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.number)])).map(\.number)
  }

  private func user(_ login: String) throws -> TrackerUser {
    try #require(try context.fetch(FetchDescriptor<TrackerUser>(predicate: #Predicate { $0.login == login })).first)
  }

  private func label(_ name: String) throws -> IssueLabel {
    try #require(try context.fetch(FetchDescriptor<IssueLabel>(predicate: #Predicate { $0.name == name })).first)
  }

  @Test("Issues are filtered by text, states, people and labels")
  func filters() throws {
    let ada = try user("ada")
    func found(_ filter: Issue.Filter) throws -> [Int] { try numbers(Issue.predicate(for: filter, me: ada)) }
    #expect(try found(.init()) == [1, 2, 3, 4, 5, 6])
    #expect(try found(.init(text: "ecrire")) == [4])
    #expect(try found(.init(states: [.open, .active], isMineOnly: true)) == [2, 4])
    #expect(try found(.init(assignee: user("ben"))) == [3])
    #expect(try found(.init(labels: [label("bug")])) == [2, 5])
    #expect(try found(.init(labels: [label("bug"), label("crash")])) == [2])
    #expect(try found(.init(states: [], labels: [label("bug")])) == [])
    #expect(try found(.init(text: "e", states: [.closed], labels: [label("bug")])) == [5])
  }

  @Test("Blocked and ready issues are found, and the progress of their parts")
  func dependencies() throws {
    #expect(try numbers(Issue.ready) == [2, 4, 6])
    let closed = IssueState.closed
    #expect(
      try numbers(#Predicate { issue in issue.blockers.contains { $0.state != closed } }) == [1])
    #expect(try numbers(#Predicate { $0.blocks.count > 0 }) == [2, 3, 4])
    #expect(
      try numbers(
        #Predicate { issue in
          !issue.parts.isEmpty && issue.parts.filter { $0.state == closed }.count < issue.parts.count
        }) == [1])
    #expect(
      try numbers(#Predicate { issue in issue.blockers.contains { $0.blockers.contains { $0.state == closed } } })
        == [1])
    #expect(try numbers(#Predicate { $0.parent?.number == 1 && !$0.blockers.isEmpty }) == [4])
    #expect(
      try numbers(
        #Predicate { issue in issue.parent?.parts.filter { $0.priority.rawValue > 2 }.isEmpty == false }) == [2, 3, 4])
  }

  @Test("Issues are found by the identifiers of captured models")
  func capturedModels() throws {
    let ada = try user("ada").persistentModelID
    let bug = try label("bug").persistentModelID
    #expect(try numbers(#Predicate { $0.assignee?.persistentModelID == ada }) == [2, 4])
    #expect(try numbers(#Predicate { $0.assignee?.id != ada && $0.closedAt != nil }) == [3, 5])
    #expect(
      try numbers(
        #Predicate { issue in
          issue.labels.contains { $0.persistentModelID == bug } && issue.assignee?.persistentModelID != ada
        }) == [5])
    #expect(
      try numbers(
        #Predicate { issue in
          issue.watchers.contains { $0.persistentModelID == ada } || issue.reporter?.persistentModelID == ada
        }) == [2, 5])
    let team = [ada, try user("ben").persistentModelID]
    #expect(
      try numbers(
        #Predicate { issue in
          issue.assignee.flatMap { team.contains($0.persistentModelID) } ?? false
        }) == [2, 3, 4])
    let unassigned: PersistentIdentifier? = nil
    #expect(try numbers(#Predicate { $0.assignee?.persistentModelID == unassigned && $0.reporter == nil }) == [1, 6])
    #expect(try numbers(#Predicate { $0.assignee == $0.reporter }) == [1, 6])
  }

  @Test("Overdue, late and unassigned issues are found")
  func dates() throws {
    let now = Timeline.date(2024, 3, 12)
    let never = Date.distantFuture
    #expect(try numbers(#Predicate { ($0.dueAt ?? never) < now && $0.closedAt == nil }) == [2])
    #expect(
      try numbers(
        #Predicate { issue in
          if let closed = issue.closedAt, let due = issue.dueAt { closed > due } else { false }
        }) == [5])
    #expect(try numbers(#Predicate { $0.assignee == nil && $0.closedAt == nil }) == [1, 6])
    let week = 7.0 * 86_400
    #expect(
      try numbers(
        #Predicate { issue in
          issue.closedAt.flatMap {
            $0.timeIntervalSinceReferenceDate - issue.createdAt.timeIntervalSinceReferenceDate < week
          } ?? false
        }) == [3, 5])
  }

  @Test("Mentions and unanswered comments are found")
  func comments() throws {
    let mention = "@ada"
    #expect(
      try numbers(#Predicate { issue in issue.comments.contains { $0.text.contains(mention) } }) == [2, 3])
    #expect(
      try numbers(#Predicate { issue in issue.comments.contains { $0.author == nil } }) == [3])
    #expect(
      try numbers(
        #Predicate { issue in
          issue.comments.contains { comment in comment.author != nil && comment.author == issue.assignee }
        }) == [2])
    let since = Timeline.date(2024, 3, 5)
    #expect(
      try numbers(
        #Predicate { issue in issue.comments.allSatisfy { $0.writtenAt < since } && issue.closedAt == nil })
        == [1, 4, 6])
    let latest = try context.fetchGroups(
      by: \IssueComment.issue?.number, computing: .maximum(of: \.writtenAt), .count)
    #expect(latest.map(\.key) == [2, 3, 5])
    #expect(latest.map(\.values.1) == [2, 1, 1])
  }

  @Test("Issues are sorted by state, priority and project")
  func order() throws {
    let order = FetchDescriptor<Issue>(
      sortBy: [
        SortDescriptor(\.state), SortDescriptor(\.project?.name, order: .reverse), SortDescriptor(\.dueAt),
        SortDescriptor(\.number, order: .reverse),
      ])
    #expect(try context.fetch(order).map(\.number) == [6, 4, 1, 2, 5, 3])
    let open = IssueState.open
    let active = IssueState.active
    #expect(try numbers(#Predicate { $0.state <= active && $0.state > open }) == [2])
  }

  @Test("The board shows counts by state and open issues of each person")
  func board() throws {
    let board = try context.fetchGroups(by: \Issue.project?.key, \Issue.state, computing: .count)
    #expect(
      board.map { "\($0.key.0 ?? "") \($0.key.1) \($0.value)" }
        == ["APP open 2", "APP active 1", "APP closed 1", "WEB open 1", "WEB closed 1"])
    let closed = IssueState.closed
    let load = try context.fetchGroups(
      by: \Issue.assignee, computing: .sum(of: \.estimate), .count,
      matching: FetchDescriptor(predicate: #Predicate { $0.state != closed }),
      sortBy: [.init(.sum(of: \Issue.estimate), order: .reverse)])
    #expect(load.map { $0.key?.login } == ["ada", nil])
    #expect(load.map(\.values.0) == [8, 0])
    #expect(load.map(\.values.1) == [2, 2])
    let done = try context.fetchGroups(
      by: .value(of: #Expression<Issue, Bool> { $0.closedAt != nil }), computing: .average(of: \.estimate))
    #expect(done.map(\.value) == [4, 2])
  }

  @Test("Issues are found by custom fields and by computed properties of their state")
  func fields() throws {
    #expect(try numbers(#Predicate { $0.fields["sprint"] == "7" }) == [4])
    let sprints = ["7", "8"]
    #expect(
      try numbers(#Predicate { issue in sprints.contains(issue.fields["sprint", default: ""]) }) == [4, 6])
    #expect(try numbers(#Predicate { $0.state.isDone }) == [3, 5])
    #expect(try numbers(#Predicate { !$0.state.isDone && $0.fields.isEmpty }) == [1, 2])
  }

  @Test("Issues are kept when the issue that blocks them is deleted, and deleted with their project")
  func deleting() throws {
    try context.delete(model: Issue.self, where: #Predicate { $0.number == 2 })
    try context.save()
    #expect(try numbers(#Predicate { $0.blockers.count == 1 }) == [1, 4])
    #expect(try context.fetchCount(FetchDescriptor<IssueComment>()) == 2)
    try context.delete(model: TrackedProject.self, where: #Predicate { $0.key == "APP" })
    try context.save()
    #expect(try numbers(#Predicate { _ in true }) == [5, 6])
    #expect(try user("ada").assigned.isEmpty)
    #expect(try label("idea").issues.isEmpty)
  }

  @Test("Unsaved reassignments, closings and labels are visible in fetches")
  func pending() throws {
    let found = FetchDescriptor<Issue>(predicate: #Predicate { $0.number == 2 })
    let freeze = try #require(try context.fetch(found).first)
    let ben = try user("ben")
    let identifier = ben.persistentModelID
    freeze.assignee = ben
    freeze.state = .closed
    freeze.labels.append(try label("idea"))
    context.allowsInMemoryEvaluation = true
    #expect(try numbers(Issue.ready) == [4, 6])
    #expect(try numbers(#Predicate { $0.assignee?.login == "ben" }) == [2, 3])
    #expect(try numbers(#Predicate { issue in issue.labels.contains { $0.name == "idea" } }) == [2, 3])
    #expect(try numbers(#Predicate { $0.assignee?.persistentModelID == identifier }) == [2, 3])
    let board = try context.fetchGroups(by: \Issue.state, computing: .count)
    #expect(board.map(\.value) == [3, 3])
    context.rollback()
    #expect(try numbers(Issue.ready) == [2, 4, 6])
    #expect(freeze.labels.count == 2)
  }
}
