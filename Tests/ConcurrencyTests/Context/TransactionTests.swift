import FaultyDriver
import Foundation
import Relational
import Support
import SwiftData
import Testing

@testable import TestSupport

@Suite("Transactions")
struct ContextTransactionTests {
  private struct Stop: Error {}

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(inMemory: Bool = false, timeout: Duration = .seconds(20)) throws -> ModelContainer {
    let options = ModelConfiguration.StoreOptions(busyTimeout: timeout)
    return try ModelContainer(
      for: Purse.self,
      configurations: inMemory
        ? ModelConfiguration(isStoredInMemoryOnly: true, options: options)
        : ModelConfiguration(url: folder.file(), options: options))
  }

  private func fill(_ container: ModelContainer, _ coins: Int...) throws -> ModelContext {
    let context = ModelContext(container)
    for (index, coins) in coins.enumerated() { context.insert(Purse("\(index)", coins: coins)) }
    try context.save()
    return context
  }

  private func purses(_ context: ModelContext) throws -> [Purse] {
    try context.fetch(FetchDescriptor<Purse>(sortBy: [SortDescriptor(\.owner)]))
  }

  private func coins(_ container: ModelContainer) throws -> [Int] {
    try purses(ModelContext(container)).map(\.coins)
  }

  @Test("The block sees what another context has saved to a model in memory", arguments: [true, false])
  func seesOthers(inMemory: Bool) throws {
    let container = try open(inMemory: inMemory)
    let context = try fill(container, 1)
    let purse = try #require(try purses(context).first)
    let other = ModelContext(container)
    for round in 1...3 {
      let same = try #require(try purses(other).first)
      same.coins += 10
      same.payments.append(PursePayment(coins: 10))
      try other.save()
      try context.transaction {
        #expect(purse.payments.count == round)
        purse.coins += 1
      }
    }
    #expect(try coins(container) == [34])
  }

  @Test("Each block sees what another container has saved to models in memory")
  func seesContainers() throws {
    let container = try open()
    let context = try fill(container, 1, 1)
    let held = try purses(context)
    let other = ModelContext(try open())
    try context.transaction { held[0].coins += 1 }
    for _ in 1...3 {
      try #require(try purses(other).first).coins += 10
      try other.save()
      try context.transaction { held[0].coins += 1 }
    }
    other.delete(try purses(other)[1])
    try other.save()
    try context.transaction {
      #expect(held[1].modelContext == nil)
      #expect(held[0].coins == 35)
    }
    #expect(try coins(container) == [35])
  }

  @Test("Unsaved edits made before the block are saved, and other properties are refreshed")
  func keepsEdits() throws {
    let container = try open()
    let context = try fill(container, 1)
    let purse = try #require(try purses(context).first)
    purse.note = "mine"
    context.insert(Purse("new", coins: 5))
    let other = ModelContext(try open())
    let same = try #require(try purses(other).first)
    same.coins = 100
    same.note = "theirs"
    try other.save()
    try context.transaction {
      #expect(purse.note == "mine")
      purse.coins += 1
    }
    let stored = try purses(ModelContext(container))
    #expect(stored.map(\.coins) == [101, 5])
    #expect(stored.map(\.note) == ["mine", ""])
  }

  @Test("A block that throws saves nothing, keeps its changes and releases the lock", arguments: [true, false])
  func throwing(inMemory: Bool) throws {
    let container = try open(inMemory: inMemory)
    let context = try fill(container, 1)
    let purse = try #require(try purses(context).first)
    #expect(throws: Stop.self) {
      try context.transaction {
        purse.coins = 50
        throw Stop()
      }
    }
    #expect(purse.coins == 50)
    #expect(context.hasChanges)
    let other = ModelContext(container)
    try #require(try purses(other).first).note = "free"
    try other.save()
    context.rollback()
    #expect(purse.coins == 1)
    #expect(try coins(container) == [1])
  }

  @Test("A nested transaction is part of the outer one")
  func nesting() throws {
    let container = try open()
    let context = try fill(container, 1)
    #expect(throws: Stop.self) {
      try context.transaction {
        try context.transaction { context.insert(Purse("inner", coins: 2)) }
        throw Stop()
      }
    }
    #expect(try coins(container) == [1])
    try context.transaction { try context.transaction {} }
    #expect(try coins(container) == [1, 2])
  }

  @Test("A save inside the block commits at once, and the context keeps the lock", arguments: [true, false])
  func savingInside(inMemory: Bool) throws {
    let container = try open(inMemory: inMemory)
    let context = try fill(container, 1)
    let purse = try #require(try purses(context).first)
    let other = ModelContext(container)
    let same = try #require(try purses(other).first)
    #expect(throws: Stop.self) {
      try context.transaction {
        purse.coins = 2
        try context.save()
        #expect(!context.hasChanges)
        same.coins = 70
        #expect(throws: SwiftDataError.modelValidationFailure) { try other.save() }
        purse.coins = 3
        throw Stop()
      }
    }
    #expect(try coins(container) == [2])
    other.rollback()
    context.rollback()
    try context.transaction { purse.coins += 1 }
    #expect(try coins(container) == [3])
  }

  @Test("Another context's save on the same thread inside the block throws at once, and loses no changes")
  func otherContextInside() throws {
    let container = try open()
    let context = try fill(container, 1, 1)
    let held = try purses(context)
    let sibling = ModelContext(container)
    let stranger = ModelContext(try open())
    try #require(try purses(sibling).last).note = "sibling"
    try #require(try purses(stranger).last).note = "stranger"
    try context.transaction {
      held[0].coins = 9
      let error = #expect(throws: SwiftDataError.self) { try sibling.save() }
      #expect(error == .modelValidationFailure)
      #expect(error?.details?.message?.contains("transaction") == true)
      #expect(throws: SwiftDataError.modelValidationFailure) { try sibling.transaction {} }
      #expect(throws: SwiftDataError.modelValidationFailure) { try container.erase() }
      let failure = #expect(throws: SwiftDataError.storeFailure) { try stranger.save() }
      #expect(failure?.details?.storeFailureReason == .busy)
      #expect(throws: SwiftDataError.storeFailure) { try container.close() }
      let count = try purses(sibling).count
      #expect(count == 2)
    }
    try sibling.save()
    try stranger.save()
    #expect(try coins(container) == [9, 1])
    #expect(try purses(ModelContext(container))[1].note == "stranger")
  }

  @Test(
    "While another thread has the lock, the transaction throws an error without running the block",
    arguments: [true, false])
  func lockedElsewhere(sameContainer: Bool) async throws {
    let container = try open(timeout: .milliseconds(60))
    let context = try fill(container, 1)
    let holder = sameContainer ? container : try open()
    let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let thread = Thread {
      try? ModelContext(holder).transaction {
        entered.signal()
        leave.wait()
      }
      entered.signal()
    }
    thread.start()
    await Self.wait(entered)
    let purse = try #require(try purses(context).first)
    purse.note = "waits"
    var isRun = false
    let failure = #expect(throws: SwiftDataError.storeFailure) { try context.transaction { isRun = true } }
    #expect(failure?.details?.storeFailureReason == .busy)
    #expect(!isRun)
    let saving = #expect(throws: SwiftDataError.storeFailure) { try context.save() }
    #expect(saving?.details?.storeFailureReason == .busy)
    #expect(context.changedModelsArray.count == 1)
    leave.signal()
    await Self.wait(entered)
    try context.transaction { isRun = true }
    #expect(isRun)
    #expect(!context.hasChanges)
  }

  private static func wait(_ semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        semaphore.wait()
        continuation.resume()
      }
    }
  }

  @Test("Each notification is posted once, and an observer of didSave can save")
  func notifications() throws {
    let container = try open()
    let context = try fill(container, 1)
    let other = ModelContext(container)
    try #require(try purses(other).first).note = "observed"
    nonisolated(unsafe) var posted: [String] = []
    nonisolated(unsafe) let observing = other
    let observers = [ModelContext.willSave, ModelContext.didSave].map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { _ in
        posted.append(name.rawValue)
        if name == ModelContext.didSave { #expect(throws: Never.self) { try observing.save() } }
      }
    }
    try context.transaction { try #require(try purses(context).first).coins = 2 }
    try context.transaction {}
    #expect(posted == [ModelContext.willSave, ModelContext.didSave].map(\.rawValue))
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    let stored = try purses(ModelContext(container))
    #expect(stored.map(\.coins) == [2])
    #expect(stored.map(\.note) == ["observed"])
  }

  @Test("The main context autosaves with the transaction, and not inside it")
  @MainActor
  func autosaving() async throws {
    let container = try open()
    _ = try fill(container, 1)
    let context = container.mainContext
    let purse = try #require(try purses(context).first)
    purse.note = "before"
    #expect(throws: Stop.self) {
      try context.transaction {
        purse.coins = 2
        throw Stop()
      }
    }
    await MainQueue.turn()
    await MainQueue.turn()
    #expect(!context.hasChanges)
    #expect(try coins(container) == [2])
  }

  @Test("A transaction on a read-only store may only read")
  func readOnly() throws {
    _ = try fill(try open(), 1)
    let container = try ModelContainer(
      for: Purse.self, configurations: ModelConfiguration(url: folder.file(), allowsSave: false))
    let context = ModelContext(container)
    var count = 0
    try context.transaction { count = try purses(context).count }
    #expect(count == 1)
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.transaction { context.insert(Purse("x", coins: 1)) }
    }
  }

  @Test("A transaction locks all stores together")
  func severalStores() throws {
    let recipes = ModelConfiguration(schema: Schema([Recipe.self]), url: folder.file("recipes.store"))
    let rest = ModelConfiguration(url: folder.file())
    let schema = Schema([Recipe.self, Purse.self])
    let container = try ModelContainer(for: schema, configurations: [rest, recipes])
    let context = try fill(container, 1)
    context.insert(Recipe("soup"))
    try context.save()
    let other = ModelContext(try ModelContainer(for: schema, configurations: [rest, recipes]))
    let soup = try #require(try context.fetch(FetchDescriptor<Recipe>()).first)
    try #require(try other.fetch(FetchDescriptor<Recipe>()).first).name = "stew"
    try other.save()
    try context.transaction {
      #expect(soup.name == "stew")
      try #require(try other.fetch(FetchDescriptor<Recipe>()).first).name = "goulash"
      #expect(throws: SwiftDataError.storeFailure) { try other.save() }
      try #require(try purses(context).first).coins = 2
    }
    try other.save()
    #expect(soup.name == "stew")
    #expect(try context.fetch(FetchDescriptor<Recipe>()).map(\.name) == ["goulash"])
  }

  /// Expects that a transaction cannot update rows, because it lacks the lock.
  private func expectNoLock(_ context: ModelContext) {
    #expect(throws: SwiftDataError.storeFailure) { _ = try context.update(Purse.self) { $0.set(\.note, to: "lost") } }
  }

  @Test("A transaction that loses its lock to another process writes nothing more")
  func lostLock() throws {
    let container = try open(timeout: .milliseconds(50))
    let context = try fill(container, 1)
    let purse = try #require(try purses(context).first)
    let stranger = ModelContext(try open())
    let (began, goOn, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    nonisolated(unsafe) let other = stranger
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { _ in
      Thread.detachNewThread {
        try? other.transaction {
          try other.fetch(FetchDescriptor<Purse>()).first?.coins = 50
          began.signal()
          goOn.wait()
        }
        ended.signal()
      }
      began.wait()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let failure = #expect(throws: SwiftDataError.storeFailure) {
      try context.transaction {
        purse.coins += 1
        try context.save()
        NotificationCenter.default.removeObserver(observer)
        goOn.signal()
        ended.wait()
        context.rollback()
        _ = try? purses(context)
        expectNoLock(context)
        purse.coins = 3
        _ = try? context.save()
      }
    }
    #expect(failure?.details?.storeFailureReason == .busy)
    #expect(try coins(try open()) == [50])
    context.rollback()
    try context.transaction { purse.coins += 1 }
    #expect(try coins(container) == [51])
  }

  @Test("A transaction of another context inside a didSave observer does not release the outer lock")
  func transactionInNotice() throws {
    let container = try open()
    let context = try fill(container, 1)
    let purse = try #require(try purses(context).first)
    nonisolated(unsafe) let audit = ModelContext(container)
    let stranger = ModelContext(try open(timeout: .zero))
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { _ in
      try? audit.transaction { audit.insert(Purse("audit", coins: 0)) }
    }
    try context.transaction {
      purse.coins = 2
      try context.save()
      NotificationCenter.default.removeObserver(observer)
      try #require(try purses(stranger).first).coins = 50
      #expect(throws: SwiftDataError.storeFailure) { try stranger.save() }
      audit.insert(Purse("late", coins: 0))
      #expect(throws: SwiftDataError.modelValidationFailure) { try audit.save() }
      purse.coins += 1
    }
    #expect(try coins(container) == [3, 0])
  }

  @Test("Transactions work over a database that does only what a driver must do")
  func austere() throws {
    let container = try DatabaseInterception.$wrap.withValue(AustereDatabase.wrap) { try open() }
    let context = try fill(container, 1)
    let purse = try #require(try purses(context).first)
    try context.transaction {
      purse.coins += 1
      try context.save()
      purse.payments = [PursePayment(coins: 1)]
    }
    #expect(try coins(container) == [2])
  }

  @Test("Whichever database call fails, a transfer happens as a whole or not at all", arguments: [true, false])
  func failingCalls(savesInside: Bool) throws {
    let faults = CallFailures()
    let container = try DatabaseInterception.$wrap.withValue(faults.wrap) { try open() }
    let context = try fill(container, 1000, 0)
    let held = try purses(context)
    let stranger = ModelContext(try open())
    for reason in [DatabaseError.Reason.other, .busy, .diskFull] {
      for call in stride(from: 0, to: 200, by: reason == .other ? 1 : 3) {
        // So that the transaction has a save to merge.
        try #require(try purses(stranger).first).coins += 1
        try #require(try purses(stranger).last).coins -= 1
        try stranger.save()
        faults.fail(call...call, with: reason)
        var failure: (any Error)?
        do {
          try context.transaction {
            held[0].coins -= 5
            held[1].coins += 5
            if savesInside { try context.save() }
            held[1].payments.append(PursePayment(coins: 5))
          }
        } catch {
          failure = error
        }
        let hasFailed = faults.stop() > 0
        let now = try coins(try open())
        #expect(now.reduce(0, +) == 1000, "call \(call)")
        if failure != nil { #expect(hasFailed, "call \(call)") }
        context.rollback()
        #expect(try purses(context).map(\.coins) == now, "call \(call)")
        if !hasFailed { break }
      }
    }
    try context.transaction { held[0].note = "works" }
    #expect(try purses(ModelContext(container))[0].note == "works")
  }
}
