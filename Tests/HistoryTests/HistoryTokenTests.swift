import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("History tokens")
struct HistoryTokenTests {
  private let store: LoggedStore
  private var context: ModelContext { store.context }

  init() throws {
    store = try LoggedStore()
  }

  private func save(_ count: Int, in container: ModelContainer? = nil) throws {
    let context = ModelContext(container ?? store.container)
    for number in 0..<count {
      context.author = number % 2 == 0 ? "even" : "odd"
      context.insert(LoggedGuide("\(number)"))
      try context.save()
    }
  }

  private func delete(_ predicate: Predicate<DefaultHistoryTransaction>? = nil) throws {
    try ModelContext(store.container).deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>(predicate: predicate))
  }

  private func expectExpired(
    _ token: DefaultHistoryToken, in container: ModelContainer? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: SwiftDataError.historyTokenExpired, sourceLocation: sourceLocation) {
      try (container ?? store.container).logged(after: token)
    }
  }

  // MARK: Expiry

  @Test("A token expires when a transaction after it is deleted, and not before")
  func expiry() throws {
    try save(10)
    let all = try store.container.logged()
    let tokens = all.map(\.token)
    let limit = tokens[4]
    try delete(#Predicate { $0.token <= limit })
    for token in tokens[..<4] { expectExpired(token) }
    for (index, token) in tokens.enumerated().dropFirst(4) {
      #expect(try store.container.logged(after: token) == Array(all[(index + 1)...]))
    }
    #expect(try store.container.logged() == Array(all[5...]))
  }

  @Test("Every predicate that asks for transactions after an expired token throws")
  func forms() throws {
    try save(10)
    let all = try store.container.logged()
    let (old, limit, author, id) = (all[2].token, all[4].token, "odd", all[2].transactionIdentifier)
    try delete(#Predicate { $0.token <= limit })
    let predicates: [Predicate<DefaultHistoryTransaction>] = [
      #Predicate { $0.token > old }, #Predicate { old < $0.token }, #Predicate { $0.token >= old },
      #Predicate { ($0.token > old) && ($0.author == author) },
      #Predicate { $0.author == author && $0.token > old && $0.changes.count > 0 },
      #Predicate { $0.token > old && $0.token <= limit },
    ]
    for predicate in predicates {
      var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: predicate)
      #expect(throws: SwiftDataError.historyTokenExpired, "\(predicate)") { try context.fetchHistory(descriptor) }
      descriptor.fetchLimit = 1
      descriptor.sortBy = [SortDescriptor(\.timestamp, order: .reverse)]
      #expect(throws: SwiftDataError.historyTokenExpired, "\(predicate)") { try context.fetchHistory(descriptor) }
    }
    // Predicates without a token, or for transactions before one, return the remaining history.
    let rest = Array(all[5...])
    let last = all[9].token
    let others: [(Predicate<DefaultHistoryTransaction>, [DefaultHistoryTransaction])] = [
      (#Predicate { $0.transactionIdentifier > id }, rest), (#Predicate { $0.token < old }, []),
      (#Predicate { $0.token <= last }, rest), (#Predicate { $0.token == last }, [all[9]]),
    ]
    for (predicate, expected) in others {
      let found = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>(predicate: predicate))
      #expect(found == expected, "\(predicate)")
    }
    // Deleting deleted transactions again does not throw.
    try delete(#Predicate { $0.token <= old })
    #expect(try store.container.logged().count == 5)
  }

  @Test("Deleting a transaction in the middle expires the tokens before it, and not those after it")
  func gap() throws {
    try save(10)
    let all = try store.container.logged()
    let id = all[6].transactionIdentifier
    try delete(#Predicate { $0.transactionIdentifier == id })
    for transaction in all[..<6] { expectExpired(transaction.token) }
    #expect(try store.container.logged(after: all[6].token) == Array(all[7...]))
    #expect(try store.container.logged().count == 9)
  }

  @Test("Deleting by author expires the tokens before the last deleted transaction")
  func deletedByAuthor() throws {
    try save(10)
    let all = try store.container.logged()
    let author = "even"
    try delete(#Predicate { $0.author == author })
    for transaction in all[..<8] { expectExpired(transaction.token) }
    #expect(try store.container.logged(after: all[8].token) == [all[9]])
    #expect(try store.container.logged().map(\.author) == Array(repeating: "odd", count: 5))
  }

  @Test("The last token stays valid, whatever is deleted", arguments: [false, true])
  func lastToken(reopens: Bool) throws {
    try save(5)
    let last = try #require(try store.container.logged().last).token
    try delete()
    let container = reopens ? try store.reopen() : store.container
    #expect(try container.logged(after: last).isEmpty)
    let guide = LoggedGuide("later")
    let context = ModelContext(container)
    context.insert(guide)
    try context.save()
    let found = try container.logged(after: last)
    #expect(found.count == 1)
    expectChanges(found.first, [.insert(guide)])
  }

  @Test("Deleting no transaction expires no token")
  func deletingNothing() throws {
    try save(4)
    let all = try store.container.logged()
    let author = "none"
    try delete(#Predicate { $0.author == author })
    #expect(try store.container.logged(after: all[0].token) == Array(all[1...]))
  }

  @Test("Present and later containers find that a token has expired")
  func otherContainers() throws {
    try save(6)
    let other = try store.reopen()
    let all = try other.logged()
    let limit = all[3].token
    #expect(try other.logged(after: all[0].token).count == 5)
    try delete(#Predicate { $0.token <= limit })
    expectExpired(all[0].token, in: other)
    expectExpired(all[0].token, in: try store.reopen())
    #expect(try other.logged(after: all[3].token).count == 2)
  }

  @Test("After an expired token a program can start again with the remaining history")
  func startingAgain() throws {
    try save(6)
    let old = try store.container.logged()[0].token
    try delete()
    expectExpired(old)
    try save(2)
    let found = try store.container.logged()
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.token > old })
    #expect(try store.container.logged(after: found[0].token) == [found[1]])
  }

  // MARK: Numbers

  @Test("Transaction numbers are never reused", arguments: [false, true])
  func reuse(reopens: Bool) throws {
    var seen: Set<DefaultHistoryToken> = []
    var last: Int64 = 0
    var container = store.container
    for round in 0..<5 {
      try save(3, in: container)
      for transaction in try container.logged() {
        #expect(transaction.transactionIdentifier > last)
        #expect(seen.insert(transaction.token).inserted)
        last = transaction.transactionIdentifier
      }
      let context = ModelContext(container)
      let limit = last - Int64(round % 3)
      // Sometimes only the last ones, sometimes all.
      try context.deleteHistory(
        HistoryDescriptor<DefaultHistoryTransaction>(
          predicate: round % 2 == 0 ? nil : #Predicate { $0.transactionIdentifier >= limit }))
      try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
      if reopens { container = try store.reopen() }
    }
    #expect(seen.count == 15)
  }

  @Test(
    "After an erasure transaction numbers are not reused, and earlier tokens have expired", arguments: [false, true])
  func erased(reopens: Bool) throws {
    try save(4)
    let before = try store.container.logged()
    try store.container.erase()
    let container = reopens ? try store.reopen() : store.container
    try save(2, in: container)
    let after = try container.logged()
    #expect(after.allSatisfy { $0.transactionIdentifier > before[3].transactionIdentifier })
    #expect(Set(before + after).count == before.count + after.count)
    expectExpired(before[0].token, in: container)
    // All present models have an insertion in the history.
    let inserted = after.flatMap(\.logged).filter { $0.kind == .insert }.map(\.identifier)
    #expect(Set(inserted) == Set(try ModelContext(container).fetchIdentifiers(FetchDescriptor<LoggedGuide>())))
  }

  @Test("A store in memory numbers its own transactions")
  func inMemory() throws {
    let store = try LoggedStore(isStoredInMemoryOnly: true)
    for number in 0..<3 {
      store.context.insert(LoggedGuide("\(number)"))
      try store.context.save()
    }
    let all = try store.container.logged()
    let limit = all[1].token
    try store.context.deleteHistory(.init(predicate: #Predicate<DefaultHistoryTransaction> { $0.token <= limit }))
    #expect(throws: SwiftDataError.historyTokenExpired) { try store.container.logged(after: all[0].token) }
    #expect(try store.container.logged(after: all[1].token) == [all[2]])
  }

  // MARK: Values

  @Test("A token is a dictionary of transaction numbers by store")
  func value() throws {
    try save(2)
    let all = try store.container.logged()
    for transaction in all {
      #expect(transaction.token.tokenValue == [transaction.storeIdentifier: transaction.transactionIdentifier])
      #expect(transaction.token.storeIdentifier == transaction.storeIdentifier)
      #expect(transaction.token == transaction.token && transaction.token.id == transaction.token.id)
    }
    #expect(all[0].token < all[1].token && all[1].token > all[0].token && all[0].token != all[1].token)
    #expect(!(all[0].token < all[0].token) && all[0].token <= all[0].token)
    #expect(all.map(\.token).max() == all[1].token)
    #expect(Set(all.map(\.token) + all.map(\.token)).count == 2)
  }

  @Test("Tokens can be encoded as JSON and property lists")
  func coding() throws {
    try save(3)
    let tokens = try store.container.logged().map(\.token)
    for token in tokens {
      let json = try JSONEncoder().encode(token)
      let plist = try PropertyListEncoder().encode(token)
      #expect(try JSONDecoder().decode(DefaultHistoryToken.self, from: json) == token)
      #expect(try PropertyListDecoder().decode(DefaultHistoryToken.self, from: plist) == token)
    }
    let list = try JSONDecoder().decode([DefaultHistoryToken].self, from: JSONEncoder().encode(tokens))
    #expect(list == tokens)
    #expect(list.sorted() == tokens)
    #expect(try store.container.logged(after: list[1]).map(\.token) == [tokens[2]])
  }

  @Test(
    "Decoding anything but a token throws",
    arguments: ["", "{}x", "3", "[]", #"{"tokenValue": 3}"#, #"{"tokenValue": {"a": "b"}}"#])
  func badCoding(text: String) {
    #expect(throws: (any Error).self) {
      let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(text.utf8))
      // A decoder may convert another text; then the token has no store.
      if token.tokenValue?.isEmpty != false { throw NotOne(count: 0) }
    }
  }

  /// A token of one store, as a program may have stored it.
  private func token(_ number: Int64, of identifier: String) throws -> DefaultHistoryToken {
    DefaultHistoryToken([identifier: number])
  }

  @Test(
    "A token with a number that no transaction had does no harm", arguments: [Int64.min, -1, 0, 1_000_000, Int64.max])
  func strangeNumbers(number: Int64) throws {
    try save(3)
    let all = try store.container.logged()
    let found = try store.container.logged(after: token(number, of: all[0].storeIdentifier))
    #expect(found == (number <= 0 ? all : []))
  }

  @Test("A token with number zero selects the whole history")
  func beforeEverything() throws {
    try save(3)
    let all = try store.container.logged()
    #expect(try store.container.logged(after: token(0, of: all[0].storeIdentifier)) == all)
    try delete()
    expectExpired(try token(0, of: all[0].storeIdentifier))
  }

  @Test("A token of another store selects the whole history or throws, and does not trap")
  func foreignToken() throws {
    try save(3)
    let other = try LoggedStore()
    other.insert(LoggedGuide("a"))
    try other.context.save()
    let foreign = try #require(try other.container.logged().last).token
    do {
      let all = try store.container.logged()
      let found = try store.container.logged(after: foreign)
      // It has no number for this store, so the whole history is later.
      #expect(found == all)
    } catch let error as SwiftDataError {
      #expect(error == .historyTokenExpired || error == .invalidTransactionFetchRequest)
    }
  }

  @Test("A negated comparison with an expired token throws too")
  func negatedComparison() throws {
    try save(3)
    let token = try #require(try store.container.logged().first).token
    let context = ModelContext(store.container)
    let later = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { !($0.token <= token) })
    let earlier = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { !($0.token > token) })
    #expect(try context.fetchHistory(later) == store.container.logged(after: token))
    let last = try #require(try store.container.logged().last).transactionIdentifier
    try context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.transactionIdentifier < last }))
    #expect(throws: SwiftDataError.historyTokenExpired) { try context.fetchHistory(later) }
    #expect(try context.fetchHistory(earlier).isEmpty)
  }

  // MARK: Several stores

  private struct Pair {
    let folder: TemporaryFolder
    let container: ModelContainer
    let context: ModelContext

    init() throws {
      folder = try TemporaryFolder()
      let guides = ModelConfiguration("guides", schema: Schema([LoggedGuide.self]), url: folder.file("guides.store"))
      let sights = ModelConfiguration("sights", schema: Schema([LoggedSight.self]), url: folder.file("sights.store"))
      container = try ModelContainer(
        for: Schema([LoggedGuide.self, LoggedSight.self]), configurations: [guides, sights])
      context = ModelContext(container)
    }

    func identifier(_ name: String) throws -> String {
      try #require(container.storeIdentifier(forConfigurationNamed: name))
    }
  }

  @Test("A save to several stores is one transaction for each, with the changes of that store")
  func severalStores() throws {
    let pair = try Pair()
    let (guide, sight) = (LoggedGuide("a"), LoggedSight("b"))
    pair.context.author = "both"
    pair.context.insert(guide)
    pair.context.insert(sight)
    try pair.context.save()
    guide.name = "changed"
    try pair.context.save()
    let all = try pair.container.logged()
    #expect(all.count == 3)
    #expect(all.allSatisfy { $0.author == "both" })
    let (guides, sights) = (try pair.identifier("guides"), try pair.identifier("sights"))
    let ofGuides = all.filter { $0.storeIdentifier == guides }
    #expect(ofGuides.count == 2)
    expectChanges(ofGuides.first, [.insert(guide)])
    expectChanges(ofGuides.last, [.update(guide, "name")])
    let ofSights = all.filter { $0.storeIdentifier == sights }
    #expect(ofSights.count == 1)
    expectChanges(ofSights.first, [.insert(sight)])
    let selected = try pair.context.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.storeIdentifier == sights }))
    #expect(selected == ofSights)
  }

  @Test("A token of several stores selects the later transactions of each")
  func tokenOfSeveralStores() throws {
    let pair = try Pair()
    var tokens: [String: Int64] = [:]
    for number in 0..<6 {
      if number % 3 != 0 { pair.context.insert(LoggedGuide("\(number)")) }
      if number % 2 == 0 { pair.context.insert(LoggedSight("\(number)")) }
      try pair.context.save()
      if number == 2 {
        for one in try pair.container.logged() { tokens[one.storeIdentifier] = one.transactionIdentifier }
      }
    }
    #expect(tokens.count == 2)
    let token = DefaultHistoryToken(tokens)
    let expected = try pair.container.logged().filter { $0.transactionIdentifier > tokens[$0.storeIdentifier] ?? 0 }
    let found = try pair.container.logged(after: token)
    #expect(Set(found) == Set(expected))
    #expect(found.count == expected.count)
    #expect(try JSONDecoder().decode(DefaultHistoryToken.self, from: JSONEncoder().encode(token)) == token)
    // Deleting transactions of one store expires the token.
    let sights = try pair.identifier("sights")
    try pair.context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.storeIdentifier == sights }))
    #expect(throws: SwiftDataError.historyTokenExpired) { try pair.container.logged(after: token) }
    #expect(try pair.container.logged().allSatisfy { $0.storeIdentifier != sights })
  }

  /// Saves to one of the stores or to both of them, and returns all numbers by store.
  private func fill(_ pair: Pair, _ range: Range<Int>) throws {
    for number in range {
      pair.context.author = number % 4 == 0 ? "rare" : nil
      if number % 3 != 0 { pair.context.insert(LoggedGuide("\(number)")) }
      if number % 2 == 0 { pair.context.insert(LoggedSight("\(number)")) }
      try pair.context.save()
    }
  }

  private func fetch(
    _ container: ModelContainer, after token: DefaultHistoryToken?, limit: UInt64 = 0, author: String? = nil
  ) throws -> [DefaultHistoryTransaction] {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    switch (token, author) {
    case (let token?, let author?): descriptor.predicate = #Predicate { $0.token > token && $0.author == author }
    case (let token?, nil): descriptor.predicate = #Predicate { $0.token > token }
    case (nil, let author?): descriptor.predicate = #Predicate { $0.author == author }
    case (nil, nil): break
    }
    descriptor.fetchLimit = limit
    return try ModelContext(container).fetchHistory(descriptor)
  }

  @Test(
    "A program that keeps the last token sees each transaction of several stores once",
    arguments: [1, 2, 3, 7, 0] as [UInt64], ["rare", nil])
  func lastTokenOfSeveralStores(limit: UInt64, author: String?) throws {
    let pair = try Pair()
    var seen: [DefaultHistoryTransaction] = []
    var token: DefaultHistoryToken?
    for round in 0..<4 {
      try fill(pair, round * 12..<round * 12 + 12)
      // Not the whole history, before more is saved.
      for _ in 0..<(round < 3 ? 2 : 100) {
        let found = try fetch(pair.container, after: token, limit: limit, author: author)
        if found.isEmpty { break }
        seen += found
        token = found.last?.token
      }
    }
    let all = try pair.container.logged().filter { author == nil || $0.author == author }
    #expect(Set(seen) == Set(all))
    #expect(seen.count == all.count)
    #expect(token?.tokenValue?.count == 2)
  }

  @Test("A condition with a token in a disjunction skips no transaction", arguments: [1, 2, 4])
  func tokenOrAuthor(limit: Int) throws {
    let pair = try Pair()
    try fill(pair, 0..<40)
    let all = try pair.container.logged()
    var token = try #require(all.dropFirst(20).first?.token)
    let author = "rare"
    let number = token
    let expected = all.filter { one in
      one.author == author || one.transactionIdentifier > number.number(of: one.storeIdentifier)
    }
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    let start = token
    descriptor.predicate = #Predicate { $0.token > start || $0.author == author }
    let first = try pair.context.fetchHistory(descriptor)
    #expect(Set(first) == Set(expected))
    // The first page; its last token selects the rest.
    descriptor.fetchLimit = UInt64(limit)
    let page = try pair.context.fetchHistory(descriptor)
    token = try #require(page.last?.token)
    let rest = try pair.container.logged(after: token)
    #expect(Set(expected).isSubset(of: Set(page + rest)))
  }

  @Test("Tokens of several stores ascend from one transaction to the next")
  func ascendingTokens() throws {
    let pair = try Pair()
    try fill(pair, 0..<30)
    let all = try pair.container.logged()
    for (earlier, later) in zip(all, all.dropFirst()) {
      for (store, number) in earlier.token.tokenValue ?? [:] { #expect(number <= later.token.number(of: store)) }
      #expect(earlier.token != later.token)
      #expect(later.token.number(of: later.storeIdentifier) == later.transactionIdentifier)
    }
  }

  @Test("The latest transaction's token has no transactions after it")
  func latestToken() throws {
    let pair = try Pair()
    try fill(pair, 0..<30)
    var latest = HistoryDescriptor<DefaultHistoryTransaction>(sortBy: [SortDescriptor(\.timestamp, order: .reverse)])
    latest.fetchLimit = 1
    let token = try #require(try pair.context.fetchHistory(latest).first?.token)
    #expect(try pair.container.logged(after: token).isEmpty)
    try fill(pair, 30..<34)
    let new = try pair.container.logged(after: token)
    #expect(new.count == 4)
    // A token does not depend on the remaining history of a store.
    try pair.context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= token }))
    #expect(try pair.container.logged(after: token) == new)
    let sights = try pair.identifier("sights")
    try pair.context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.storeIdentifier == sights }))
    let last = try #require(try pair.context.fetchHistory(latest).first?.token)
    #expect(try pair.container.logged(after: last).isEmpty)
  }

  @Test("No transaction is missed when one store's clock was set back")
  func clockSetBack() throws {
    let pair = try Pair()
    try fill(pair, 0..<20)
    let store = try #require(pair.container.stores.compactMap { $0 as? RelationalStore }.last)
    try store.database.write { connection in
      let seventh = "(SELECT _id FROM swiftdata_history ORDER BY _id LIMIT 1 OFFSET 6)"
      try connection.execute("UPDATE swiftdata_history SET at = at - 1000 WHERE _id >= \(seventh)")
    }
    let all = try pair.container.logged()
    for limit in [1, 2, 5] as [UInt64] {
      var seen: [DefaultHistoryTransaction] = []
      var token: DefaultHistoryToken?
      while true {
        let found = try fetch(pair.container, after: token, limit: limit)
        if found.isEmpty { break }
        seen += found
        token = found.last?.token
      }
      #expect(seen.count == all.count)
      #expect(Set(seen) == Set(all))
    }
  }

  // MARK: Notifications

  @Test("A save's notification has the tokens of the changed stores")
  func notification() throws {
    let pair = try Pair()
    let posted = Mutex<[[String: DefaultHistoryToken]]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: pair.context, queue: nil
    ) { notification in
      let key = ModelContext.NotificationKey.historyTokens
      let tokens = notification.userInfo?[key.rawValue] as? [String: any HistoryToken]
      let same = notification.userInfo?[key] as? [String: any HistoryToken]
      #expect(tokens?.keys.sorted() == same?.keys.sorted())
      posted.withLock { $0.append((tokens ?? [:]).compactMapValues { $0 as? DefaultHistoryToken }) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let guide = LoggedGuide("a")
    pair.context.insert(guide)
    try pair.context.save()
    pair.context.insert(LoggedSight("b"))
    guide.name = "changed"
    try pair.context.save()
    let (guides, sights) = (try pair.identifier("guides"), try pair.identifier("sights"))
    let all = try pair.container.logged()
    let (ofGuides, ofSights) = (
      all.filter { $0.storeIdentifier == guides }, all.filter { $0.storeIdentifier == sights }
    )
    #expect(ofGuides.count == 2 && ofSights.count == 1)
    let tokens = (ofGuides + ofSights).map {
      DefaultHistoryToken(store: $0.storeIdentifier, number: $0.transactionIdentifier)
    }
    #expect(posted.withLock { $0 } == [[guides: tokens[0]], [guides: tokens[1], sights: tokens[2]]])
  }

  @Test("If custom stores share an identifier by mistake, a notification has the token of the last one")
  func sameIdentifier() {
    let tokens = [1, 2].map { DefaultHistoryToken(store: "a", number: $0) }
    var notice = ChangeNotice()
    notice.historyTokens = tokens.map { ("a", $0) }
    #expect(notice.tokensByStore.count == 1)
    #expect(notice.tokensByStore["a"] as? DefaultHistoryToken == tokens[1])
    var info = SaveInfo()
    info.setTokens(of: notice)
    let key = AnyHashable(ModelContext.NotificationKey.historyTokens)
    #expect((info.values[key] as? [String: any HistoryToken])?["a"] as? DefaultHistoryToken == tokens[1])
  }

  @Test("A save's notification has no tokens without a history")
  func notificationWithoutHistory() throws {
    let store = try LoggedStore(options: .init(history: .none))
    let posted = Mutex<[Int]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: store.context, queue: nil
    ) { notification in
      let key = ModelContext.NotificationKey.historyTokens.rawValue
      posted.withLock { $0.append((notification.userInfo?[key] as? [String: any HistoryToken])?.count ?? 0) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    store.insert(LoggedGuide("a"))
    try store.context.save()
    #expect(posted.withLock { $0 } == [0])
  }

  // MARK: Retention

  @Test("Retention by count keeps about as many transactions as its limit, and earlier tokens expire")
  func retentionByCount() throws {
    let store = try LoggedStore(options: .init(history: .limited(count: 100)))
    var first: DefaultHistoryToken?
    for number in 0..<1000 {
      store.context.insert(LoggedGuide("\(number)"))
      try store.context.save()
      if number == 0 { first = try store.container.logged().first?.token }
    }
    let all = try store.container.logged()
    #expect(all.count >= 100)
    #expect(all.count <= 164)
    #expect(all.last?.logged.count == 1)
    let token = try #require(first)
    #expect(throws: SwiftDataError.historyTokenExpired) { try store.container.logged(after: token) }
    #expect(try store.container.logged(after: all[0].token) == Array(all.dropFirst()))
    #expect(try ModelContext(store.container).fetchCount(FetchDescriptor<LoggedGuide>()) == 1000)
  }

  @Test("After the retention limit is reduced, saves delete the excess history gradually")
  func retentionLater() throws {
    try save(400)
    let container = try store.reopen(options: .init(history: .limited(count: 10)))
    try save(200, in: container)
    let all = try container.logged()
    #expect(all.count >= 10)
    #expect(all.count <= 10 + 64)
    #expect(all.last?.author == "odd")
  }

  @Test("History retention keeps transactions newer than the age limit", arguments: [Duration.seconds(3600), .zero])
  func retentionByAge(age: Duration) throws {
    let store = try LoggedStore(options: .init(history: .limited(age: age)))
    for number in 0..<200 {
      store.context.insert(LoggedGuide("\(number)"))
      try store.context.save()
    }
    let count = try store.container.logged().count
    #expect(age == .zero ? count < 100 : count == 200)
  }

  @Test(
    "Extreme retention limits do no harm",
    arguments: [
      ModelConfiguration.HistoryRetention.limited(), .limited(count: 0), .limited(count: .min), .limited(count: .max),
      .limited(age: .seconds(-5)), .limited(age: .seconds(Int64.max) * 8), .limited(age: .seconds(Int64.min) * 8),
      .limited(age: .nanoseconds(1), count: 1), .unlimited, .none,
    ])
  func retentionExtremes(retention: ModelConfiguration.HistoryRetention) throws {
    let store = try LoggedStore(options: .init(history: retention))
    for number in 0..<40 {
      store.context.insert(LoggedGuide("\(number)"))
      try store.context.save()
    }
    #expect(try ModelContext(store.container).fetchCount(FetchDescriptor<LoggedGuide>()) == 40)
    if retention == .unlimited || retention == .limited() { #expect(try store.container.logged().count == 40) }
  }

  @Test("The default retention is a month and a million transactions")
  func defaultRetention() {
    #expect(ModelConfiguration.StoreOptions().history == .limited(age: .seconds(30 * 86_400), count: 1_000_000))
    #expect(ModelConfiguration().options.history == ModelConfiguration.StoreOptions().history)
  }

  // MARK: No history

  @Test("Without a history, fetching it throws, and everything else works")
  func noHistory() throws {
    let store = try LoggedStore(options: .init(history: .none))
    let guide = LoggedGuide("a")
    store.insert(guide)
    try store.context.save()
    guide.name = "b"
    try store.context.save()
    #expect(throws: DataStoreError.unsupportedFeature) { try store.container.logged() }
    #expect(throws: DataStoreError.unsupportedFeature) {
      try store.context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
    #expect(try store.container.freshContext().only(LoggedGuide.self).name == "b")
  }

  @Test("A store whose history is disabled deletes it, and starts a new one when it is enabled again")
  func noHistoryAnyMore() throws {
    try save(5)
    let before = try store.container.logged()
    let without = try store.reopen(options: .init(history: .none))
    try save(3, in: without)
    #expect(throws: DataStoreError.unsupportedFeature) { try without.logged() }
    let again = try store.reopen()
    #expect(try again.logged().isEmpty)
    for transaction in before { expectExpired(transaction.token, in: again) }
    try save(2, in: again)
    let after = try again.logged()
    #expect(after.count == 2)
    #expect(after.allSatisfy { $0.transactionIdentifier > before[4].transactionIdentifier })
  }

  @Test("A token expires with saves while the history is disabled, even if no record was deleted")
  func unrecordedSaves() throws {
    try save(3)
    let last = try #require(try store.container.logged().last).token
    try delete()
    #expect(try store.container.logged(after: last).isEmpty)
    try save(1, in: try store.reopen(options: .init(history: .none)))
    expectExpired(last, in: try store.reopen())
  }

  @Test("A store created without a history can enable it later")
  func noHistoryFromTheBeginning() throws {
    let store = try LoggedStore(options: .init(history: .none))
    store.insert(LoggedGuide("a"))
    try store.context.save()
    let later = try store.reopen()
    #expect(try later.logged().isEmpty)
    try save(2, in: later)
    #expect(try later.logged().count == 2)
  }
}
