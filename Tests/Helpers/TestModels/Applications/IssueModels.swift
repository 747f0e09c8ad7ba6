import Foundation
import SwiftData

@testable import TestSupport

// Issues of several projects, which block each other and have parts.

enum IssueState: String, Codable, CaseIterable, Comparable, Sendable {
  case open, active, closed

  var isDone: Bool { self == .closed }

  static func < (left: Self, right: Self) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}

enum IssuePriority: Int, Codable, CaseIterable, Sendable {
  case low = 1
  case normal = 2
  case urgent = 3
}

@Model
final class TrackedProject {
  @Attribute(.unique) var key: String
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \TrackedIssue.project) var issues: [TrackedIssue] = []

  init(key: String, name: String) {
    self.key = key
    self.name = name
  }
}

@Model
final class TrackerUser {
  @Attribute(.unique) var login: String
  @Relationship(inverse: \TrackedIssue.assignee) var assigned: [TrackedIssue] = []
  @Relationship(inverse: \TrackedIssue.reporter) var reported: [TrackedIssue] = []
  @Relationship(inverse: \TrackedIssue.watchers) var watched: [TrackedIssue] = []

  init(_ login: String) {
    self.login = login
  }
}

@Model
final class IssueLabel {
  @Attribute(.unique) var name: String
  var issues: [TrackedIssue] = []

  init(_ name: String) {
    self.name = name
  }
}

@Model
final class TrackedIssue {
  #Index<TrackedIssue>([\.number], [\.createdAt])

  var number: Int
  var title: String
  var text: String = ""
  var state: IssueState = IssueState.open
  var priority: IssuePriority
  var estimate: Int?
  var createdAt: Date
  var closedAt: Date?
  var dueAt: Date?
  var fields: [String: String] = [:]
  var project: TrackedProject?
  var assignee: TrackerUser?
  var reporter: TrackerUser?
  var watchers: [TrackerUser] = []
  var parent: TrackedIssue?
  @Relationship(deleteRule: .nullify, inverse: \TrackedIssue.parent) var parts: [TrackedIssue] = []
  var blockers: [TrackedIssue] = []
  @Relationship(inverse: \TrackedIssue.blockers) var blocks: [TrackedIssue] = []
  @Relationship(inverse: \IssueLabel.issues) var labels: [IssueLabel] = []
  @Relationship(deleteRule: .cascade, inverse: \IssueComment.issue) var comments: [IssueComment] = []

  init(_ number: Int, _ title: String, in project: TrackedProject?, priority: IssuePriority = .normal, createdAt: Date)
  {
    self.number = number
    self.title = title
    self.project = project
    self.priority = priority
    self.createdAt = createdAt
  }
}

@Model
final class IssueComment {
  var text: String
  var writtenAt: Date
  var author: TrackerUser?
  var issue: TrackedIssue?

  init(_ text: String, by author: TrackerUser?, on issue: TrackedIssue, at writtenAt: Date) {
    self.text = text
    self.author = author
    self.issue = issue
    self.writtenAt = writtenAt
  }
}

extension TrackedIssue {
  /// The settings of the app's filter bar; nil matches anything.
  struct Filter {
    var text = ""
    var states: Set<IssueState> = Set(IssueState.allCases)
    var assignee: TrackerUser?
    var isMineOnly = false
    var labels: [IssueLabel] = []
  }

  static func predicate(for filter: Filter, me: TrackerUser) -> Predicate<TrackedIssue> {
    let text = filter.text
    let states = filter.states
    let mine = me.persistentModelID
    let isMineOnly = filter.isMineOnly
    let assignee = filter.assignee?.persistentModelID
    var parts = [
      #Predicate<TrackedIssue> { issue in
        states.contains(issue.state) && (text.isEmpty || issue.title.localizedStandardContains(text))
      },
      #Predicate<TrackedIssue> { issue in
        isMineOnly ? issue.assignee?.persistentModelID == mine : true
      },
      #Predicate<TrackedIssue> { issue in
        assignee == nil || issue.assignee?.persistentModelID == assignee
      },
    ]
    parts += filter.labels.map(\.persistentModelID).map { label in
      #Predicate<TrackedIssue> { issue in issue.labels.contains { $0.persistentModelID == label } }
    }
    return Predicate(all: parts)
  }

  static var ready: Predicate<TrackedIssue> {
    let closed = IssueState.closed
    return #Predicate { issue in
      issue.state != closed && issue.blockers.allSatisfy { $0.state == closed }
    }
  }
}
