import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Releases of a ledger", .serialized)
struct LedgerReleaseTests {
  private typealias V1 = LedgerReleases.V1
  private typealias V2 = LedgerReleases.V2
  private typealias V3 = LedgerReleases.V3
  private typealias V4 = LedgerReleases.V4

  private let numbers = Array((0..<40).reversed())
  private let store: ReleasedStore

  init() throws {
    store = try ReleasedStore(LedgerReleases.Plan.self, to: LedgerReleases.V4.self, LedgerReleases.calls)
  }

  private func closures(from version: Int) -> [String] { version < 3 ? ["V3 did"] : [] }

  /// The number of an entry's account: some entries have none, and the last account has no entries.
  private func account(_ number: Int) -> Int? { number % 4 < 3 ? number % 4 : nil }

  private func write(_ version: Int) throws {
    switch version {
    case 1:
      try store.write(V1.self) { context in
        let accounts = (0..<4).map { V1.Account($0) }
        for account in accounts { context.insert(account) }
        for number in numbers {
          let entry = V1.Entry(number)
          context.insert(entry)
          if let place = account(number) { accounts[place].entries.append(entry) }
        }
      }
    case 2:
      try store.write(V2.self) { context in
        let accounts = (0..<4).map { V2.Account($0) }
        let categories = (0..<5).map { V2.Category($0) }
        for account in accounts { context.insert(account) }
        for category in categories { context.insert(category) }
        for number in numbers {
          let entry = V2.Entry(number)
          context.insert(entry)
          if let place = account(number) { accounts[place].entries.append(entry) }
          categories[number % 5].entries.append(entry)
        }
      }
    default:
      try store.write(V3.self) { context in
        let accounts = (0..<4).map { V3.Account($0) }
        let categories = (0..<5).map { V3.Category($0) }
        for account in accounts { context.insert(account) }
        for category in categories { context.insert(category) }
        for number in numbers {
          let entry = V3.Entry(number)
          context.insert(entry)
          if let place = account(number) { accounts[place].entries.append(entry) }
          categories[number % 5].entries.append(entry)
        }
      }
    }
  }

  private func check(_ context: ModelContext, writtenBy version: Int) throws {
    let entries = try context.all(V4.Entry.self, by: \.number)
    #expect(entries.map(\.number) == numbers.sorted())
    for entry in entries {
      let number = entry.number
      let firstMemo = Varied.maybe(number, Varied.text(number)) ?? "none"
      #expect(entry.cents == LedgerReleases.cents(number))
      #expect(entry.memo == (version == 1 ? firstMemo : Varied.text(number)))
      #expect(entry.isCleared == number.isMultiple(of: 2))
      #expect(entry.checked == nil)
      #expect(entry.bookedOn == Varied.date(number))
      #expect(entry.kind.rawValue == (version == 1 ? 0 : number % 3))
      #expect(entry.rate == (version == 1 ? Decimal(1) : Decimal(number) / 8))
      #expect(entry.account?.number == account(number))
      #expect(entry.category?.number == (version == 1 ? nil : number % 5))
    }
    let accounts = try context.all(V4.Account.self, by: \.number)
    #expect(accounts.map(\.name) == (0..<4).map { Varied.name($0) })
    for account in accounts {
      let members = numbers.filter { self.account($0) == account.number }
      let total = members.reduce(0) { $0 + LedgerReleases.cents($1) }
      #expect(account.entries.map(\.number) == members)
      #expect(account.balance == (version < 3 ? total : Varied.whole(account.number)))
    }
    let categories = try context.all(V4.Category.self, by: \.number)
    #expect(categories.map(\.number) == (version == 1 ? [] : Array(0..<5)))
    for category in categories {
      #expect(category.entries.map(\.number) == numbers.filter { $0 % 5 == category.number })
    }
  }

  @Test("A store of each version has all values in the last version", arguments: [1, 2, 3])
  func olderStore(version: Int) throws {
    try write(version)
    try store.migrate(running: closures(from: version)) { try check($0, writtenBy: version) }
  }

  @Test("Reopening runs no closure and changes nothing", arguments: [1, 2, 3])
  func openingAgain(version: Int) throws {
    try write(version)
    try store.migrate(running: closures(from: version)) { _ in }
    try store.openAgain { try check($0, writtenBy: version) }
  }

  @Test("The last version's constraints and delete rules apply to older rows")
  func rules() throws {
    try write(1)
    try store.migrate(running: closures(from: 1)) { context in
      let again = V4.Account(0)
      again.balance = 5
      context.insert(again)
      try context.save()
      #expect(try context.all(V4.Account.self, by: \.number).map(\.balance).first == 5)
      #expect(try context.fetchCount(FetchDescriptor<V4.Account>()) == 4)
      let second = try #require(try context.all(V4.Account.self, by: \.number).dropFirst().first)
      context.delete(second)
      try context.save()
      let left = try context.all(V4.Entry.self, by: \.number)
      #expect(left.map(\.number) == numbers.sorted().filter { account($0) != 1 })
    }
  }

  @Test("A new store opens without running a stage")
  func newStore() throws {
    try store.migrate(running: []) { context in
      #expect(try context.fetchCount(FetchDescriptor<V4.Entry>()) == 0)
      context.insert(V4.Entry(3))
      try context.save()
    }
    try store.openAgain { context in
      let entry = try context.only(V4.Entry.self)
      #expect(entry.cents == LedgerReleases.cents(3))
    }
  }

  @Test("A failed closure leaves everything unchanged, and the next attempt succeeds", arguments: [1, 2])
  func failingClosure(version: Int) throws {
    try write(version)
    try store.fail(at: "V3 did")
    if version == 1 {
      try store.read(V1.self) { context in
        let entries = try context.all(V1.Entry.self, by: \.number)
        #expect(entries.map(\.memo) == numbers.sorted().map { Varied.maybe($0, Varied.text($0)) })
        #expect(entries.map(\.cents) == numbers.sorted().map { LedgerReleases.cents($0) })
        #expect(entries.map(\.booked) == numbers.sorted().map { Varied.date($0) })
        #expect(entries.map { $0.account?.number } == numbers.sorted().map { account($0) })
      }
    } else {
      try store.read(V2.self) { context in
        let entries = try context.all(V2.Entry.self, by: \.number)
        #expect(entries.map(\.memo) == numbers.sorted().map { Varied.text($0) })
        #expect(entries.map(\.cents) == numbers.sorted().map { LedgerReleases.cents($0) })
        #expect(entries.map(\.bookedOn) == numbers.sorted().map { Varied.date($0) })
        #expect(entries.map { $0.account?.number } == numbers.sorted().map { account($0) })
        #expect(entries.map { $0.category?.number } == numbers.sorted().map { $0 % 5 })
      }
    }
    try store.migrate(running: ["V3 did"]) { try check($0, writtenBy: version) }
  }
}
