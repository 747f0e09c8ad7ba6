import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A calendar app")
struct CalendarTests {
  private typealias Event = Planner.Event
  private typealias Agenda = Planner.Agenda
  private typealias Guest = Planner.Guest
  private typealias Invitation = Planner.Invitation

  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Agenda.self, Event.self, Guest.self, Invitation.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let work = Agenda("Work")
    let home = Agenda("Home")
    let hidden = Agenda("Hidden", isHidden: true)
    for agenda in [work, home, hidden] { context.insert(agenda) }
    func event(_ title: String, _ agenda: Agenda?, _ start: (Int, Int), _ end: (Int, Int)) -> Event {
      let event = Event(
        title, from: Timeline.date(2024, 6, start.0, start.1), to: Timeline.date(2024, 6, end.0, end.1), in: agenda)
      context.insert(event)
      return event
    }
    let standup = event("Stand-up", work, (3, 9), (3, 10))
    let review = event("Review", work, (3, 10), (3, 12))
    let talk = event("Talk", work, (3, 11), (3, 13))
    let dentist = event("Dentist", home, (3, 11), (3, 12))
    let holiday = event("Holiday", home, (1, 0), (9, 0))
    let secret = event("Secret", hidden, (3, 9), (3, 17))
    let late = event("Late call", nil, (3, 23), (4, 1))
    holiday.isAllDay = true
    standup.repetition = .daily
    talk.repetition = .weekly(days: [2, 4])
    standup.alarms = [5, 15]
    dentist.alarms = [60]
    standup.exceptions = [Timeline.date(2024, 6, 10, 9)]
    dentist.place = .init(name: "Clinic", latitude: 52.5, longitude: 13.4)
    review.place = .init(name: "Room 1", latitude: nil, longitude: nil)
    late.link = URL(string: "https://meet.example.org/1")

    let ada = Guest("ada@example.org")
    let ben = Guest("ben@example.org")
    let eve = Guest("eve@example.org")
    for guest in [ada, ben, eve] { context.insert(guest) }
    for invitation in [
      Invitation(ada, to: standup, .accepted), Invitation(ben, to: standup, .accepted),
      Invitation(ada, to: review, .declined), Invitation(ben, to: review, isRequired: false),
      Invitation(ada, to: talk, .accepted), Invitation(eve, to: secret),
    ] {
      context.insert(invitation)
    }
    try context.save()
  }

  private func titles(
    _ predicate: Predicate<Event>, sortBy: [SortDescriptor<Event>] = [.init(\.start), .init(\.title)]
  ) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: sortBy)).map(\.title)
  }

  private func event(_ title: String) throws -> Event {
    try #require(try context.fetch(FetchDescriptor<Event>(predicate: #Predicate { $0.title == title })).first)
  }

  @Test("Events that overlap a period are found, without those of hidden calendars")
  func overlapping() throws {
    let noon = DateInterval(start: Timeline.date(2024, 6, 3, 12), end: Timeline.date(2024, 6, 3, 14))
    #expect(try titles(Event.overlapping(noon)) == ["Holiday", "Talk"])
    #expect(try titles(Event.overlapping(noon, showsHidden: true)) == ["Holiday", "Secret", "Talk"])
    let midnight = DateInterval(start: Timeline.date(2024, 6, 4), end: Timeline.date(2024, 6, 5))
    #expect(try titles(Event.overlapping(midnight)) == ["Holiday", "Late call"])
    #expect(
      try titles(Predicate(all: [Event.overlapping(midnight), #Predicate { !$0.isAllDay }])) == ["Late call"])
  }

  @Test("Overlapping events are found")
  func conflicts() throws {
    #expect(try titles(Event.conflicting) == ["Holiday", "Review", "Dentist", "Talk"])
    #expect(
      try titles(Predicate(all: [Event.conflicting, #Predicate { $0.agenda?.name == "Work" }])) == ["Review", "Talk"])
  }

  @Test("Invitations of a guest are found by their answer")
  func invitations() throws {
    let email = "ada@example.org"
    #expect(
      try titles(
        #Predicate { event in event.invitations.contains { $0.guest?.email == email } })
        == ["Stand-up", "Review", "Talk"])
    let declined = Planner.Answer.declined
    #expect(
      try titles(
        #Predicate { event in
          event.invitations.contains { $0.guest?.email == email && $0.answer != declined }
        }) == ["Stand-up", "Talk"])
    let accepted = Planner.Answer.accepted
    #expect(
      try titles(
        #Predicate { event in
          !event.invitations.isEmpty && event.invitations.allSatisfy { $0.answer == accepted || !$0.isRequired }
        }) == ["Stand-up", "Talk"])
    #expect(
      try titles(#Predicate { event in event.invitations.filter { $0.answer == accepted }.count > 1 }) == ["Stand-up"])
  }

  @Test("Guests who are free at a time are found")
  func free() throws {
    let start = Timeline.date(2024, 6, 3, 11, 30)
    let end = Timeline.date(2024, 6, 3, 12, 30)
    let declined = Planner.Answer.declined
    let busy = #Predicate<Guest> { guest in
      guest.invitations.contains { invitation in
        if let event = invitation.event {
          invitation.answer != declined && event.start < end && event.end > start
        } else {
          false
        }
      }
    }
    let found = FetchDescriptor(predicate: busy, sortBy: [SortDescriptor(\.email)])
    #expect(try context.fetch(found).map(\.email) == ["ada@example.org", "ben@example.org", "eve@example.org"])
    let required = FetchDescriptor<Invitation>(
      predicate: #Predicate { invitation in
        invitation.isRequired && invitation.event.flatMap { $0.start < end && $0.end > start } ?? false
      }, sortBy: [SortDescriptor(\.event?.title), SortDescriptor(\.guest?.email)])
    #expect(try context.fetch(required).map { $0.event?.title } == ["Review", "Secret", "Talk"])
  }

  @Test("Events are found by duration")
  func durations() throws {
    let hour = 3600.0
    #expect(
      try titles(
        #Predicate { event in
          event.end.timeIntervalSinceReferenceDate - event.start.timeIntervalSinceReferenceDate > 2.0 * hour
            && !event.isAllDay
        }) == ["Secret"])
    let longest = try context.fetchGroups(
      by: \Event.agenda?.name,
      computing: .sum(
        of: #Expression<Event, Double> {
          $0.end.timeIntervalSinceReferenceDate - $0.start.timeIntervalSinceReferenceDate
        }), matching: FetchDescriptor(predicate: #Predicate { !$0.isAllDay }))
    #expect(longest.map(\.key) == [nil, "Hidden", "Home", "Work"])
    #expect(longest.map { $0.value / hour } == [2, 8, 1, 5])
  }

  @Test("The next events are found, and a day is fetched in pages")
  func next() throws {
    let now = Timeline.date(2024, 6, 3, 10, 30)
    var upcoming = FetchDescriptor<Event>(
      predicate: #Predicate { $0.start > now && $0.agenda != nil },
      sortBy: [SortDescriptor(\.start), SortDescriptor(\.end, order: .reverse)])
    upcoming.fetchLimit = 1
    #expect(try context.fetch(upcoming).map(\.title) == ["Talk"])
    upcoming.fetchOffset = 1
    #expect(try context.fetch(upcoming).map(\.title) == ["Dentist"])
    upcoming.fetchOffset = 2
    #expect(try context.fetch(upcoming).isEmpty)
    #expect(try titles(#Predicate { ($0.start...$0.end).contains(now) && !$0.isAllDay }) == ["Secret", "Review"])
  }

  @Test("Events are found by alarms, places, links and recurrence")
  func details() throws {
    let soon = 10
    #expect(try titles(#Predicate { event in event.alarms.contains { $0 <= soon } }) == ["Stand-up"])
    #expect(try titles(#Predicate { ($0.alarms.max() ?? 0) >= 15 }) == ["Stand-up", "Dentist"])
    #expect(try titles(#Predicate { $0.repetition != nil }) == ["Stand-up", "Talk"])
    let south = 52.0
    let north = 53.0
    #expect(
      try titles(
        #Predicate { event in
          if let latitude = event.place?.latitude { latitude > south && latitude < north } else { false }
        }) == ["Dentist"])
    #expect(try titles(#Predicate { $0.place?.name == "Room 1" && $0.place?.latitude == nil }) == ["Review"])
    #expect(try titles(#Predicate { $0.link != nil }) == ["Late call"])
    #expect(try titles(#Predicate { $0.exceptions.isEmpty && !$0.alarms.isEmpty }) == ["Dentist"])
  }

  @Test("Events are counted by day and by hour")
  func counts() throws {
    let days = try context.fetchGroups(
      by: .start(of: .day, containing: \.start, in: Timeline.calendar), computing: .count, .maximum(of: \Event.end))
    #expect(days.map(\.key) == [Timeline.date(2024, 6, 1), Timeline.date(2024, 6, 3)])
    #expect(days.map(\.values.0) == [1, 6])
    #expect(days.map(\.values.1) == [Timeline.date(2024, 6, 9), Timeline.date(2024, 6, 4, 1)])
    let hours = try context.fetchGroups(
      by: .component(.hour, from: \Event.start, in: Timeline.calendar), computing: .count,
      having: #Predicate { $0 > 1 })
    #expect(hours.map(\.key) == [9, 11])
    let answers = try context.fetchGroups(
      by: \Invitation.guest?.email, \Invitation.answer, computing: .count,
      sortBy: [.init(.count, order: .reverse), .init(\Invitation.guest?.email)], limit: 1)
    #expect(answers.map(\.key.0) == ["ada@example.org"])
    #expect(answers.map(\.key.1) == [.accepted])
    #expect(answers.map(\.value) == [2])
  }

  @Test("An unsaved move of an event is visible in fetches")
  func pending() throws {
    let dentist = try event("Dentist")
    dentist.start = Timeline.date(2024, 6, 20, 9)
    dentist.end = Timeline.date(2024, 6, 20, 10)
    let day = DateInterval(start: Timeline.date(2024, 6, 20), duration: 86_400)
    context.allowsInMemoryEvaluation = true
    #expect(try titles(Event.overlapping(day)) == ["Dentist"])
    #expect(try titles(Event.conflicting) == ["Review", "Talk"])
    var next = FetchDescriptor<Event>(sortBy: [SortDescriptor(\.start, order: .reverse)])
    next.fetchLimit = 2
    #expect(try context.fetch(next).map(\.title) == ["Dentist", "Late call"])
    next.includePendingChanges = false
    #expect(try context.fetch(next).first?.title == "Late call")
    context.delete(try event("Talk"))
    #expect(try titles(Event.conflicting) == [])
    try context.save()
    context.allowsInMemoryEvaluation = false
    #expect(try titles(Event.conflicting) == [])
    #expect(try context.fetchCount(FetchDescriptor<Invitation>()) == 5)
  }

  @Test("Past events of one calendar are deleted")
  func cleaning() throws {
    let cutoff = Timeline.date(2024, 6, 3, 12)
    try context.delete(
      model: Event.self, where: #Predicate { $0.end <= cutoff && $0.agenda?.name == "Work" })
    try context.save()
    #expect(try titles(#Predicate { _ in true }) == ["Holiday", "Secret", "Dentist", "Talk", "Late call"])
    #expect(try context.fetchCount(FetchDescriptor<Invitation>()) == 2)
    let idle = FetchDescriptor<Guest>(predicate: #Predicate { $0.invitations.isEmpty })
    #expect(try context.fetch(idle).map(\.email) == ["ben@example.org"])
  }
}
