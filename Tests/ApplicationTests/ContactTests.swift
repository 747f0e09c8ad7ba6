import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A sales team's contacts")
struct ContactTests {
  private typealias Contact = SalesApp.Contact
  private typealias Company = SalesApp.Company
  private typealias Deal = SalesApp.Deal
  private typealias Touch = SalesApp.Touch

  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Contact.self, Company.self, Deal.self, Touch.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let acme = Company("Acme", headcount: 500)
    acme.site = URL(string: "https://acme.example")
    let globex = Company("Globex")
    for company in [acme, globex, Company("Initech", headcount: 9)] { context.insert(company) }
    let ana = Contact("Ana", "Müller", born: Timeline.date(1980, 5, 17), company: acme)
    let bo = Contact("Bo", "Li", born: Timeline.date(1992, 5, 2), company: acme)
    let cem = Contact("Cem", "Özil", company: globex)
    let dee = Contact("Dee", "de Vries", born: Timeline.date(1975, 11, 30))
    for contact in [ana, bo, cem, dee] { context.insert(contact) }
    bo.manager = ana
    cem.manager = ana
    ana.mails = [.init(label: "work", address: "ana@acme.example"), .init(label: nil, address: "ana@home.example")]
    bo.mails = [.init(label: "work", address: "bo@acme.example")]
    dee.mails = [.init(label: "home", address: "dee@home.example")]
    ana.phones = ["mobile": "+49 1", "work": "+49 2"]
    cem.phones = ["mobile": "+90 3"]
    ana.tags = ["vip", "german"]
    dee.tags = ["vip"]
    ana.home = .init(street: nil, city: "Köln", country: "DE")
    ana.work = .init(street: "Ring 1", city: "Bonn", country: "DE")
    cem.work = .init(street: "Yol 2", city: "İzmir", country: "TR")
    ana.deals = [
      Deal("Servers", 1000, .won, probability: 1), Deal("Support", 300, .offer, closesOn: Timeline.date(2024, 7, 1)),
    ]
    bo.deals = [Deal("Laptops", 800, .lost, probability: 0), Deal("Desks", 250, .won, probability: 1)]
    cem.deals = [Deal("Cables", 99, .lead, probability: 0.1), Deal("Racks", 2000, .offer, probability: 0.75)]
    ana.touches = [Touch(.call, on: Timeline.date(2024, 6, 1)), Touch(.visit, on: Timeline.date(2024, 3, 1))]
    bo.touches = [Touch(.mail, on: Timeline.date(2024, 1, 1), text: "Sorry")]
    try context.save()
  }

  private func names(
    _ predicate: Predicate<Contact>, sortBy: [SortDescriptor<Contact>] = [.init(\.givenName)]
  ) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: sortBy)).map(\.givenName)
  }

  private func titles(_ predicate: Predicate<Deal>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])).map(\.title)
  }

  @Test(
    "Contacts are found by names, companies and mail addresses",
    arguments: [
      ("muller", ["Ana"]), ("OZIL", ["Cem"]), ("acme", ["Ana", "Bo"]), ("home.example", ["Ana", "Dee"]),
      ("", ["Ana", "Bo", "Cem", "Dee"]), ("initech", []),
    ])
  func search(text: String, expected: [String]) throws {
    #expect(try names(Contact.predicate(searchText: text)) == expected)
  }

  @Test("Contacts without activities are found, and the channels that reached others")
  func silence() throws {
    let cutoff = Timeline.date(2024, 4, 1)
    #expect(try names(Contact.silent(since: cutoff)) == ["Bo", "Cem", "Dee"])
    let channel = SalesApp.Channel.visit
    #expect(
      try names(#Predicate { contact in contact.touches.contains { $0.channel == channel } }) == ["Ana"])
    #expect(
      try names(#Predicate { contact in contact.touches.contains { $0.text?.isEmpty == false } }) == ["Bo"])
    let latest = try context.fetchGroups(by: \Touch.contact, computing: .maximum(of: \Touch.date))
    #expect(
      Set(latest.map { "\($0.key?.givenName ?? "") \($0.value?.timeIntervalSince(cutoff) ?? 0 > 0)" })
        == ["Ana true", "Bo false"])
  }

  @Test("The pipeline is summed by stage, and companies are ranked by their purchases")
  func pipeline() throws {
    let stages = try context.fetchGroups(by: \Deal.stage, computing: .sum(of: \.amount), .count)
    #expect(stages.map(\.key) == [.lead, .offer, .won, .lost])
    #expect(stages.map(\.values.0) == [99, 2300, 1250, 800])
    let won = SalesApp.Stage.won
    let companies = try context.fetchGroups(
      by: \Deal.contact?.company, computing: .sum(of: \.amount),
      matching: FetchDescriptor(predicate: #Predicate { $0.stage == won }))
    #expect(companies.map { $0.key?.name } == ["Acme"])
    #expect(companies.map(\.value) == [1250])
    let average = try context.fetchAggregates(
      .average(of: \Deal.probability),
      matching: FetchDescriptor(predicate: #Predicate { !$0.stage.isResolved }))
    #expect(average == 0.45)
    let offers = FetchDescriptor<Deal>(
      sortBy: [SortDescriptor(\.stage), SortDescriptor(\.contact?.company?.name), SortDescriptor(\.amount)])
    #expect(
      try context.fetch(offers).map(\.title) == ["Cables", "Support", "Racks", "Desks", "Servers", "Laptops"])
  }

  @Test("Due deals are found, and deals of large companies")
  func deals() throws {
    let now = Timeline.date(2024, 7, 15)
    #expect(
      try titles(
        #Predicate { deal in
          deal.closesOn.flatMap { $0 < now } ?? false
        }) == ["Support"])
    let least = 100
    #expect(
      try titles(#Predicate { ($0.contact?.company?.headcount ?? 0) > least })
        == ["Desks", "Laptops", "Servers", "Support"])
    let stages = SalesApp.Stage.allCases.filter { !$0.isResolved }
    #expect(try titles(#Predicate { stages.contains($0.stage) }) == ["Cables", "Racks", "Support"])
    let offer = SalesApp.Stage.offer
    #expect(
      try titles(#Predicate { $0.stage >= offer && $0.contact?.manager != nil }) == ["Desks", "Laptops", "Racks"])
    let likely = 0.5
    #expect(
      try titles(#Predicate { $0.stage < offer || $0.probability > likely })
        == ["Cables", "Desks", "Racks", "Servers"])
  }

  @Test("Contacts are found by won and lost deals")
  func outcomes() throws {
    let won = SalesApp.Stage.won
    let lost = SalesApp.Stage.lost
    #expect(
      try names(
        #Predicate { contact in
          contact.deals.filter { $0.stage == won }.count > contact.deals.filter { $0.stage == lost }.count
        }) == ["Ana"])
    let large = Decimal(500)
    #expect(
      try names(#Predicate { contact in contact.deals.contains { $0.amount > large && $0.stage != lost } })
        == ["Ana", "Cem"])
    #expect(try names(#Predicate { $0.deals.isEmpty || $0.touches.isEmpty }) == ["Cem", "Dee"])
    let companies = FetchDescriptor<Company>(
      predicate: #Predicate { company in
        company.contacts.contains { contact in contact.deals.contains { $0.stage == lost } }
      })
    #expect(try context.fetch(companies).map(\.name) == ["Acme"])
  }

  @Test("Managers and reports are found in both directions")
  func reports() throws {
    #expect(try names(#Predicate { $0.manager?.givenName == "Ana" }) == ["Bo", "Cem"])
    #expect(try names(#Predicate { $0.reports.count >= 2 }) == ["Ana"])
    #expect(
      try names(#Predicate { contact in contact.manager != nil && contact.manager?.company != contact.company })
        == ["Cem"])
    #expect(
      try names(#Predicate { contact in contact.reports.contains { $0.company != contact.company } }) == ["Ana"])
    #expect(
      try names(#Predicate { _ in true }, sortBy: [.init(\.manager?.familyName), .init(\.familyName)])
        == ["Dee", "Ana", "Bo", "Cem"])
  }

  @Test("Contacts are found by addresses, mails, phones and tags")
  func details() throws {
    let city = "köln"
    #expect(try names(#Predicate { $0.home?.city.localizedStandardContains(city) == true }) == ["Ana"])
    #expect(try names(#Predicate { $0.home != nil || $0.work != nil }) == ["Ana", "Cem"])
    #expect(try names(#Predicate { $0.home == nil && $0.work?.country == "TR" }) == ["Cem"])
    #expect(try names(#Predicate { contact in contact.mails.contains { $0.label == nil } }) == ["Ana"])
    #expect(
      try names(#Predicate { contact in contact.mails.filter { $0.label == "work" }.count == 1 }) == ["Ana", "Bo"])
    #expect(try names(#Predicate { $0.phones["mobile"]?.starts(with: "+49") == true }) == ["Ana"])
    let tags: Set<String> = ["vip", "german"]
    #expect(try names(#Predicate { contact in tags.allSatisfy { contact.tags.contains($0) } }) == ["Ana"])
    #expect(try names(#Predicate { contact in contact.tags.contains("vip") && contact.company == nil }) == ["Dee"])
  }

  @Test("Birthdays and duplicates are found")
  func birthdays() throws {
    let months = try context.fetchGroups(
      by: .component(.month, from: \Contact.born, in: Timeline.calendar), computing: .count, .minimum(of: \.born))
    #expect(months.map(\.key) == [nil, 5, 11])
    #expect(months.map(\.values.0) == [1, 2, 1])
    #expect(months.map(\.values.1) == [nil, Timeline.date(1980, 5, 17), Timeline.date(1975, 11, 30)])
    let eighties = Timeline.date(1980, 1, 1)..<Timeline.date(1990, 1, 1)
    #expect(
      try names(
        #Predicate { contact in if let born = contact.born { eighties.contains(born) } else { false } }) == ["Ana"])
    let again = Contact("Bo", "Li", born: Timeline.date(1992, 5, 2))
    again.tags = ["imported"]
    context.insert(again)
    context.insert(Contact("Bo", "Li", born: Timeline.date(1993, 5, 2)))
    try context.save()
    #expect(try names(#Predicate { $0.familyName == "Li" }) == ["Bo", "Bo"])
    #expect(try names(#Predicate { $0.tags.contains("imported") }) == ["Bo"])
  }

  @Test("People are sorted in localized order")
  func order() throws {
    #expect(
      try names(#Predicate { _ in true }, sortBy: [.init(\.familyName), .init(\.givenName)])
        == ["Dee", "Bo", "Ana", "Cem"])
    #expect(
      try names(#Predicate { _ in true }, sortBy: [.init(\.born), .init(\.familyName)]) == ["Cem", "Dee", "Ana", "Bo"])
    #expect(
      try names(#Predicate { _ in true }, sortBy: [.init(\.work?.city), .init(\.givenName, order: .reverse)])
        == ["Dee", "Bo", "Ana", "Cem"])
  }

  @Test("A condition on a computed property is evaluated in memory")
  func computed() throws {
    let contacts = FetchDescriptor<Contact>(predicate: #Predicate { $0.fullName == "Bo Li" })
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetchCount(contacts) }
    context.allowsInMemoryEvaluation = true
    #expect(try context.fetchCount(contacts) == 1)
  }

  @Test("People who change companies are found there before the save")
  func pending() throws {
    let globex = try #require(
      try context.fetch(FetchDescriptor<Company>(predicate: #Predicate { $0.name == "Globex" })).first)
    let bo = try #require(
      try context.fetch(FetchDescriptor<Contact>(predicate: #Predicate { $0.givenName == "Bo" })).first)
    bo.company = globex
    bo.deals.append(Deal("Chairs", 40, .won))
    context.allowsInMemoryEvaluation = true
    #expect(try names(Contact.predicate(searchText: "globex")) == ["Bo", "Cem"])
    #expect(globex.contacts.count == 2)
    let won = SalesApp.Stage.won
    let sums = try context.fetchGroups(
      by: \Deal.contact?.company?.name, computing: .sum(of: \.amount),
      matching: FetchDescriptor(predicate: #Predicate { $0.stage == won }))
    #expect(sums.map(\.key) == ["Acme", "Globex"])
    #expect(sums.map(\.value) == [1000, 290])
    try context.save()
    context.allowsInMemoryEvaluation = false
    #expect(try names(Contact.predicate(searchText: "globex")) == ["Bo", "Cem"])
  }
}
