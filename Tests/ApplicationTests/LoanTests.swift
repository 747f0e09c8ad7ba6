import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A lending library's app")
struct LoanTests {
  private typealias Work = LendingLibrary.Work
  private typealias Copy = LendingLibrary.Copy
  private typealias Member = LendingLibrary.Member
  private typealias Loan = LendingLibrary.Loan
  private typealias Hold = LendingLibrary.Hold

  private let context: ModelContext
  private let today = Timeline.date(2024, 6, 30)

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Work.self, LendingLibrary.Writer.self, Copy.self, Member.self, Loan.self, Hold.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let austen = LendingLibrary.Writer("Austen", "Jane")
    let gaiman = LendingLibrary.Writer("Gaiman", "Neil")
    let pratchett = LendingLibrary.Writer("Pratchett", "Terry")
    let homer = LendingLibrary.Writer("Homer")
    let emma = Work(isbn: "1", title: "Emma", year: 1815, writers: [austen], subjects: ["novel", "love"])
    let omens = Work(isbn: "2", title: "Good Omens", year: 1990, writers: [gaiman, pratchett], subjects: ["novel"])
    let odyssey = Work(isbn: "3", title: "Odyssey", writers: [homer], subjects: ["epic"])
    let mort = Work(isbn: "4", title: "Mort", year: 1987, writers: [pratchett])
    for work in [emma, omens, odyssey, mort] { context.insert(work) }
    emma.copies = [Copy(barcode: 11), Copy(barcode: 12, condition: .new)]
    omens.copies = [Copy(barcode: 21, condition: .worn)]
    odyssey.copies = [Copy(barcode: 31), Copy(barcode: 32)]

    let ann = Member(card: "A", name: "Ann", loanLimit: 2, expires: Timeline.date(2025, 1, 1))
    let ben = Member(card: "B", name: "Ben", loanLimit: 5, expires: Timeline.date(2024, 6, 1))
    let cleo = Member(card: "C", name: "Cleo", loanLimit: 1, expires: Timeline.date(2024, 12, 1))
    for member in [ann, ben, cleo] { context.insert(member) }
    let loans = [
      Loan(emma.copies[0], to: ann, at: Timeline.date(2024, 6, 1), days: 14),
      Loan(omens.copies[0], to: ann, at: Timeline.date(2024, 6, 20), days: 14),
      Loan(emma.copies[1], to: ben, at: Timeline.date(2024, 1, 1), days: 14, returnedAt: Timeline.date(2024, 1, 25)),
      Loan(emma.copies[1], to: ben, at: Timeline.date(2024, 5, 1), days: 14, returnedAt: Timeline.date(2024, 5, 5)),
      Loan(odyssey.copies[0], to: ben, at: Timeline.date(2024, 5, 1), days: 28),
      Loan(odyssey.copies[1], to: cleo, at: Timeline.date(2024, 6, 29), days: 14),
    ]
    for loan in loans { context.insert(loan) }
    context.insert(Hold(odyssey, for: ann, at: Timeline.date(2024, 6, 10)))
    context.insert(Hold(odyssey, for: cleo, at: Timeline.date(2024, 6, 5)))
    context.insert(Hold(omens, for: ben, at: Timeline.date(2024, 6, 21)))
    try context.save()
  }

  private func titles(_ predicate: Predicate<Work>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])).map(\.title)
  }

  private func names(_ predicate: Predicate<Member>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
  }

  @Test("Available copies are found, and works with all copies lent")
  func availability() throws {
    #expect(try titles(Work.available) == ["Emma"])
    #expect(
      try titles(
        #Predicate { work in
          !work.copies.isEmpty
            && work.copies.allSatisfy { copy in copy.loans.contains { $0.returnedAt == nil } }
        }) == ["Good Omens", "Odyssey"])
    #expect(try titles(#Predicate { $0.copies.isEmpty }) == ["Mort"])
    #expect(try titles(#Predicate { $0.copies.count > $0.holds.count }) == ["Emma"])
    #expect(
      try titles(#Predicate { $0.copies.count <= $0.holds.count && $0.holds.count > 0 }) == ["Good Omens", "Odyssey"])
  }

  @Test("Overdue loans are found, the longest first")
  func overdue() throws {
    let loans = FetchDescriptor(predicate: Loan.overdue(at: today), sortBy: [SortDescriptor(\.dueAt)])
    #expect(try context.fetch(loans).map { $0.copy?.work?.title } == ["Odyssey", "Emma"])
    let day = 86_400.0
    let now = today.timeIntervalSinceReferenceDate
    let lateness = #Expression<Loan, Double> { (now - $0.dueAt.timeIntervalSinceReferenceDate) / day }
    let days = try context.fetchAggregates(.sum(of: lateness), matching: loans)
    #expect(days == 32 + 15)
    let byMember = try context.fetchGroups(by: \.member?.name, computing: .count, matching: loans)
    #expect(byMember.map(\.key) == ["Ann", "Ben"])
  }

  @Test("Loans that were returned late are found")
  func late() throws {
    let late = FetchDescriptor<Loan>(
      predicate: #Predicate { loan in if let returned = loan.returnedAt { returned > loan.dueAt } else { false } })
    #expect(try context.fetch(late).map(\.lentAt) == [Timeline.date(2024, 1, 1)])
    let kept = FetchDescriptor<Loan>(predicate: #Predicate { ($0.returnedAt ?? $0.dueAt) > $0.dueAt })
    #expect(try context.fetchIdentifiers(kept) == context.fetchIdentifiers(late))
  }

  @Test("Members at their limit are found, and members with loans and an expired card")
  func members() throws {
    #expect(
      try names(#Predicate { member in member.loans.filter { $0.returnedAt == nil }.count >= member.loanLimit })
        == ["Ann", "Cleo"])
    #expect(
      try names(#Predicate { member in member.loans.contains { $0.returnedAt == nil && $0.dueAt > member.expires } })
        == [])
    let now = today
    #expect(
      try names(#Predicate { member in member.expires < now && member.loans.contains { $0.returnedAt == nil } })
        == ["Ben"])
    let surname = "Austen"
    let readers = #Predicate<Member> { member in
      member.loans.contains { $0.copy?.work?.writers.contains { $0.surname == surname } == true }
    }
    #expect(try names(readers) == ["Ann", "Ben"])
  }

  @Test("The next waiting member for each work is found")
  func holds() throws {
    let next = FetchDescriptor<Hold>(
      predicate: #Predicate { hold in
        hold.work?.holds.allSatisfy { $0.placedAt >= hold.placedAt } ?? false
      }, sortBy: [SortDescriptor(\.work?.title)])
    #expect(try context.fetch(next).map { $0.member?.name } == ["Ben", "Cleo"])
    let first = try context.fetchGroups(by: \.work?.title, computing: .minimum(of: \Hold.placedAt))
    #expect(first.map(\.key) == ["Good Omens", "Odyssey"])
    #expect(first.map(\.value) == [Timeline.date(2024, 6, 21), Timeline.date(2024, 6, 5)])
    #expect(
      try names(
        #Predicate { member in
          member.loans.contains { loan in
            loan.returnedAt == nil && member.holds.contains { $0.work == loan.copy?.work }
          }
        }) == ["Cleo"])
  }

  @Test("Titles, writers and subjects are searched, by year when one is given", arguments: [nil, 1900])
  func search(since year: Int?) throws {
    let text = "pratch"
    let byText = #Predicate<Work> { work in
      work.title.localizedStandardContains(text)
        || work.writers.contains { $0.surname.localizedStandardContains(text) }
    }
    let byYear = #Predicate<Work> { work in
      year == nil || (work.year ?? 0) >= (year ?? 0)
    }
    #expect(try titles(Predicate(all: [byText, byYear])) == ["Good Omens", "Mort"])
    #expect(
      try titles(byYear) == (year == nil ? ["Emma", "Good Omens", "Mort", "Odyssey"] : ["Good Omens", "Mort"]))
    let subjects: Set<String> = ["love", "epic"]
    #expect(
      try titles(#Predicate { work in work.subjects.contains { subjects.contains($0) } }) == ["Emma", "Odyssey"])
    #expect(
      try titles(#Predicate { work in subjects.allSatisfy { work.subjects.contains($0) } }) == [])
    #expect(
      try titles(#Predicate { work in work.writers.contains { ($0.givenName ?? "").isEmpty } }) == ["Odyssey"])
  }

  @Test("Copies are sorted by the title of their work, worst condition first")
  func copies() throws {
    let copies = FetchDescriptor<Copy>(
      sortBy: [
        SortDescriptor(\.work?.title, order: .reverse), SortDescriptor(\.condition), SortDescriptor(\.barcode),
      ])
    context.allowsInMemoryEvaluation = true
    #expect(try context.fetch(copies).map(\.barcode) == [31, 32, 21, 11, 12])
    context.allowsInMemoryEvaluation = false
    let condition = LendingLibrary.Condition.good
    let worse = FetchDescriptor<Copy>(predicate: #Predicate { $0.condition < condition })
    #expect(try context.fetch(worse).map(\.barcode) == [21])
  }

  @Test("Works are ranked by their number of loans")
  func ranking() throws {
    let ranks = try context.fetchGroups(
      by: \Loan.copy?.work, computing: .count, sortBy: [.init(.count, order: .reverse)], limit: 2)
    #expect(ranks.map { $0.key?.title } == ["Emma", "Odyssey"])
    #expect(ranks.map(\.value) == [3, 2])
    let months = try context.fetchGroups(
      by: .component(.month, from: \Loan.lentAt, in: Timeline.calendar), computing: .count,
      having: #Predicate { $0 > 1 })
    #expect(months.map(\.key) == [5, 6])
    #expect(months.map(\.value) == [2, 3])
    #expect(try context.fetchAggregates(.distinctCount(of: \Loan.member?.card)) == 3)
  }

  @Test("A member with loans cannot be deleted, and deleting another one deletes dependent models")
  func deny() throws {
    let member = try #require(
      try context.fetch(FetchDescriptor<Member>(predicate: #Predicate { $0.card == "C" })).first)
    context.delete(member)
    #expect(throws: (any Error).self) { try context.save() }
    context.rollback()
    let card = "C"
    try context.delete(model: Loan.self, where: #Predicate { $0.member?.card == card })
    try context.delete(model: Member.self, where: #Predicate { $0.card == card })
    try context.save()
    let fresh = ModelContext(context.container)
    #expect(try fresh.fetchCount(FetchDescriptor<Hold>()) == 2)
    #expect(try fresh.fetchCount(FetchDescriptor<Member>()) == 2)
    #expect(try fresh.fetch(FetchDescriptor(predicate: Work.available)).map(\.title).sorted() == ["Emma", "Odyssey"])
  }

  @Test("A returned book is available before the save")
  func returning() throws {
    let open = FetchDescriptor<Loan>(predicate: #Predicate { $0.returnedAt == nil && $0.copy?.barcode == 21 })
    let loan = try #require(try context.fetch(open).first)
    loan.returnedAt = today
    context.allowsInMemoryEvaluation = true
    #expect(try titles(Work.available) == ["Emma", "Good Omens"])
    #expect(try context.fetchCount(open) == 0)
    #expect(try context.fetchIdentifiers(FetchDescriptor(predicate: Work.available)).count == 2)
    try context.save()
    context.allowsInMemoryEvaluation = false
    #expect(try titles(Work.available) == ["Emma", "Good Omens"])
  }
}
