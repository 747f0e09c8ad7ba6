import Foundation
import SwiftData

@testable import TestSupport

// Events in several calendars, their guests, and when they repeat.

enum Planner {
  enum Answer: String, Codable, CaseIterable, Sendable {
    case none, accepted, declined
  }

  enum Repetition: Codable, Hashable, Sendable {
    case daily
    case weekly(days: [Int])
  }

  struct Place: Codable, Hashable, Sendable {
    var name: String
    var latitude: Double?
    var longitude: Double?
  }

  @Model
  final class Agenda {
    var name: String
    var isHidden = false
    @Relationship(deleteRule: .cascade, inverse: \Event.agenda) var events: [Event] = []

    init(_ name: String, isHidden: Bool = false) {
      self.name = name
      self.isHidden = isHidden
    }
  }

  @Model
  final class Event {
    #Index<Event>([\.start], [\.end], [\.start, \.end])

    var title: String
    var start: Date
    var end: Date
    var isAllDay = false
    var place: Place?
    /// Minutes before the start.
    var alarms: [Int] = []
    var exceptions: [Date] = []
    var repetition: Repetition?
    var link: URL?
    var agenda: Agenda?
    @Relationship(deleteRule: .cascade, inverse: \Invitation.event) var invitations: [Invitation] = []

    init(_ title: String, from start: Date, to end: Date, in agenda: Agenda?) {
      self.title = title
      self.start = start
      self.end = end
      self.agenda = agenda
    }
  }

  @Model
  final class Guest {
    @Attribute(.unique) var email: String
    @Relationship(deleteRule: .cascade, inverse: \Invitation.guest) var invitations: [Invitation] = []

    init(_ email: String) {
      self.email = email
    }
  }

  @Model
  final class Invitation {
    var answer: Answer
    var isRequired: Bool
    var event: Event?
    var guest: Guest?

    init(_ guest: Guest, to event: Event, _ answer: Answer = .none, isRequired: Bool = true) {
      self.guest = guest
      self.event = event
      self.answer = answer
      self.isRequired = isRequired
    }
  }
}

extension Planner.Event {
  static func overlapping(_ interval: DateInterval, showsHidden: Bool = false) -> Predicate<Planner.Event> {
    let start = interval.start
    let end = interval.end
    return #Predicate { event in
      event.start < end && event.end > start && (showsHidden || event.agenda?.isHidden != true)
    }
  }

  /// Events that overlap another one of the same calendar.
  static var conflicting: Predicate<Planner.Event> {
    #Predicate { event in
      event.agenda.flatMap { agenda in
        agenda.events.contains { $0 != event && $0.start < event.end && $0.end > event.start }
      } ?? false
    }
  }
}
