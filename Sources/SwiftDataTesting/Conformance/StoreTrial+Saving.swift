import Foundation
import SwiftData

extension StoreTrial {
  func checkInsertion() throws {
    let container = try open(ConformanceModels.library)
    let context = ModelContext(container)
    let expected = (0..<300).map { "Author \($0)" }
    for name in expected { context.insert(Author(name)) }
    try context.save()
    expect(!context.hasChanges, "the context has changes after the save")
    expectEqual(try names(ModelContext(container)), expected.sorted(), "authors in another context")
    context.insert(Author("later"))
    try context.save()
    expectEqual(try names(ModelContext(container)).count, 301, "authors after a second save")
  }

  func checkIdentifiers() throws {
    let container = try open(ConformanceModels.library)
    let context = ModelContext(container)
    let authors = (0..<20).map { Author("\($0)") }
    let books = authors.map { Book("\($0.name)", author: $0) }
    for author in authors { context.insert(author) }
    try context.save()
    let identifiers = authors.map(\.persistentModelID)
    let all = Set(identifiers).union(books.map(\.persistentModelID))
    expectEqual(all.count, 40, "different identifiers of 20 authors and 20 books")
    expect(!all.contains { $0.storeIdentifier == nil }, "an identifier is temporary after the save")
    let other = ModelContext(container)
    for (identifier, author) in zip(identifiers, authors) {
      let found = other.model(for: identifier) as? Author
      expectEqual(found?.name, author.name, "author of the identifier of \(author.name)")
      expectEqual(found?.books.map(\.title), [author.name], "books of the author \(author.name)")
    }
    let some = Array(identifiers.prefix(5))
    let found = try ModelContext(container).fetch(
      FetchDescriptor<Author>(predicate: #Predicate { some.contains($0.persistentModelID) }))
    expectEqual(Set(found.map(\.name)), Set(authors.prefix(5).map(\.name)), "authors with one of five identifiers")
    authors[0].rank = 1
    try context.save()
    expectEqual(authors[0].persistentModelID, identifiers[0], "identifier after an update")
  }

  func checkUpdate() throws {
    let container = try open(ConformanceModels.library)
    let context = ModelContext(container)
    let authors = (0..<10).map { Author("\($0)", rank: $0) }
    for author in authors { context.insert(author) }
    try context.save()
    for author in authors where author.rank.isMultiple(of: 2) { author.name += "!" }
    try context.save()
    let expected = (0..<10).map { $0.isMultiple(of: 2) ? "\($0)!" : "\($0)" }
    expectEqual(try names(ModelContext(container)), expected, "names after an update of every second author")
    let found = try ModelContext(container).fetch(FetchDescriptor<Author>())
    expectEqual(found.map(\.rank).sorted(), Array(0..<10), "ranks, which were not updated")
  }

  func checkDeletion() throws {
    let container = try open(ConformanceModels.library)
    let context = ModelContext(container)
    let authors = (0..<10).map { Author("\($0)") }
    for author in authors { context.insert(author) }
    try context.save()
    for author in authors.prefix(4) { context.delete(author) }
    try context.save()
    expectEqual(try names(ModelContext(container)), (4..<10).map { "\($0)" }, "authors after the deletion of 0 to 3")
    context.delete(authors[4])
    context.insert(Author("new"))
    authors[5].name = "changed"
    try context.save()
    expectEqual(
      try names(ModelContext(container)), ["6", "7", "8", "9", "changed", "new"],
      "authors after a deletion, an insertion and an update in one save")
  }

  func checkAttributes() throws {
    let container = try open(ConformanceModels.values)
    let context = ModelContext(container)
    let rows = (0..<Values.sampleCount).map { Values($0) }
    func compare(_ occasion: String) throws {
      let found = try ModelContext(container).fetch(FetchDescriptor<Values>())
      let stored = Dictionary(found.map { ($0.sample, $0.valuesByName) }) { first, _ in first }
      for row in rows {
        for (name, value) in row.valuesByName.sorted(by: { $0.key < $1.key }) {
          let other = stored[row.sample]?[name]
          if other == value { continue }
          let texts = [other as Any, value].map { String(String(describing: $0).prefix(80)) }
          messages.append("\(name) of sample \(row.sample) \(occasion): \(texts[0]), expected \(texts[1])")
        }
      }
    }
    for row in rows {
      row.fill(row.sample)
      context.insert(row)
    }
    try context.save()
    try compare("after its insertion")
    for row in rows { row.fill((row.sample + 1) % Values.sampleCount) }
    try context.save()
    try compare("after an update")
  }

  func checkSeveralContexts() throws {
    let container = try open(ConformanceModels.library)
    let (first, second) = (ModelContext(container), ModelContext(container))
    let ada = Author("Ada")
    first.insert(ada)
    first.insert(Author("Ben"))
    try first.save()
    let copy = try author("Ada", second)
    copy?.name = "Ada Lovelace"
    try author("Ben", second).map { second.delete($0) }
    second.insert(Author("Cleo"))
    try second.save()
    expectEqual(try names(first), ["Ada Lovelace", "Cleo"], "authors in the context that saved first")
    expectEqual(ada.name, "Ada Lovelace", "name of a model that another context has updated")
  }

  func checkSeparateUpdates() throws {
    let container = try open(ConformanceModels.library)
    let (first, second) = (ModelContext(container), ModelContext(container))
    for name in ["Ada", "Ben"] { first.insert(Author(name)) }
    try first.save()
    let (ada, ben) = (try author("Ada", first), try author("Ben", second))
    ada?.rank = 1
    ben?.rank = 2
    try first.save()
    try second.save()
    let third = ModelContext(container)
    expectEqual(try author("Ada", third)?.rank, 1, "rank that the first context has saved")
    expectEqual(try author("Ben", third)?.rank, 2, "rank that the second context has saved")
  }

  func checkConcurrentSaves() async throws {
    let container = try open(ConformanceModels.library)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for save in 0..<5 {
            let context = ModelContext(container)
            context.insert(Author("\(task)-\(save)"))
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    let expected = (0..<4).flatMap { task in (0..<5).map { "\(task)-\($0)" } }
    expectEqual(try names(ModelContext(container)), expected, "authors that four tasks have inserted")
  }

  func checkDeletionByPredicate() throws {
    let container = try open(ConformanceModels.codes)
    let context = ModelContext(container)
    for amount in 0..<10 { context.insert(Code("\(amount)", amount: amount)) }
    try context.save()
    try context.delete(model: Code.self, where: #Predicate { $0.amount >= 6 })
    try context.save()
    func amounts() throws -> [Int] {
      try ModelContext(container).fetch(FetchDescriptor<Code>()).map(\.amount).sorted()
    }
    expectEqual(try amounts(), Array(0..<6), "amounts after the deletion of amounts from 6 on")
    try context.delete(model: Code.self)
    try context.save()
    expectEqual(try amounts(), [], "amounts after the deletion of all")
  }

  func checkErasure() throws {
    let container = try open(ConformanceModels.library)
    let context = ModelContext(container)
    context.insert(Author("Ada"))
    try context.save()
    do {
      try container.erase()
    } catch DataStoreError.unsupportedFeature {
      return
    }
    expectEqual(try names(ModelContext(container)), [], "authors after the erasure")
    let second = ModelContext(container)
    second.insert(Author("Ben"))
    try second.save()
    expectEqual(try names(ModelContext(container)), ["Ben"], "authors that were inserted after the erasure")
  }

  func checkReopening() throws {
    let identifier: PersistentIdentifier
    do {
      let context = ModelContext(try open(ConformanceModels.library))
      let ada = Author("Ada", rank: 3)
      ada.books = [Book("Notes"), Book("Letters")]
      context.insert(ada)
      try context.save()
      ada.rank = 4
      try context.save()
      identifier = ada.persistentModelID
    }
    // The same URL, and so the same store.
    let context = ModelContext(try open(ConformanceModels.library))
    let ada = try author("Ada", context)
    expectEqual(ada?.rank, 4, "rank in a second container")
    expectEqual(ada?.books.map(\.title).sorted(), ["Letters", "Notes"], "books in a second container")
    expectEqual(ada?.persistentModelID, identifier, "identifier in a second container")
    let eve = Author("Eve")
    context.insert(eve)
    try context.save()
    expect(eve.persistentModelID != identifier, "a second container assigned an identifier twice")
    expectEqual(try names(ModelContext(try open(ConformanceModels.library))), ["Ada", "Eve"], "authors of a third one")
  }

  func checkUniqueness() throws {
    let container = try open(ConformanceModels.codes)
    let context = ModelContext(container)
    let first = Code("a", amount: 1)
    context.insert(first)
    context.insert(Code("b", amount: 2))
    try context.save()
    let identifier = first.persistentModelID
    let second = ModelContext(container)
    second.insert(Code("a", amount: 3))
    try second.save()
    let codes = try ModelContext(container).fetch(FetchDescriptor<Code>()).sorted { $0.amount < $1.amount }
    expectEqual(codes.map(\.text), ["b", "a"], "unique texts after a second insertion of a")
    expectEqual(codes.map(\.amount), [2, 3], "amounts after a second insertion of a")
    expectEqual(codes.last?.persistentModelID, identifier, "identifier of the row that both insertions share")
  }

  func checkHistory<Store: HistoryProviding>(of store: Store.Type) throws {
    let container = try open(ConformanceModels.library)
    let context = ModelContext(container)
    context.author = "first"
    let ada = Author("Ada")
    context.insert(ada)
    try context.save()
    context.author = "second"
    ada.name = "Ada Lovelace"
    try context.save()
    let transactions = try context.fetchHistory(HistoryDescriptor<Store.HistoryType>())
    expectEqual(transactions.map(\.author), ["first", "second"], "authors of the transactions of two saves")
    let tokens = transactions.map(\.token)
    expect(tokens == tokens.sorted() && Set(tokens).count == tokens.count, "the tokens do not ascend: \(tokens)")
    for (transaction, kind) in zip(transactions, ["insert", "update"]) {
      let changes = transaction.changes.map { change in
        switch change {
        case .insert: "insert \(change.changedPersistentIdentifier == ada.persistentModelID)"
        case .update: "update \(change.changedPersistentIdentifier == ada.persistentModelID)"
        case .delete: "delete"
        }
      }
      expectEqual(changes, ["\(kind) true"], "changes of the transaction, and whether they name the model")
    }
    try context.deleteHistory(HistoryDescriptor<Store.HistoryType>())
    let rest = try context.fetchHistory(HistoryDescriptor<Store.HistoryType>())
    expectEqual(rest.count, 0, "transactions after the deletion of the history")
    expectEqual(try names(ModelContext(container)), ["Ada Lovelace"], "authors after the deletion of the history")
  }
}
