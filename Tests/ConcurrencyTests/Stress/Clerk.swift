import Foundation

@testable import SwiftData
@testable import TestSupport

/// Lets several actors save at once, or one read while none saves.
final class SavingGate: @unchecked Sendable {
  // The lock is initialized once and never moves.
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  init() {
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  func save<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body()
  }

  func look<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body()
  }
}

/// The bank's contents in a context, as plain values.
struct BankStatement: Equatable {
  var accounts: [PersistentIdentifier: String] = [:]
  var bookings: [PersistentIdentifier: String] = [:]
  var holders: [PersistentIdentifier: String] = [:]

  init(_ context: ModelContext) throws {
    for account in try context.fetch(FetchDescriptor<Account>()) {
      accounts[account.persistentModelID] =
        "\(account.number) \(account.note) \(account.bookings.map(\.persistentModelID)) "
        + "\(account.holders.map(\.persistentModelID))"
    }
    for booking in try context.fetch(FetchDescriptor<Booking>()) {
      bookings[booking.persistentModelID] =
        "\(booking.amount) \(booking.account.map { "\($0.persistentModelID)" } ?? "none")"
    }
    for holder in try context.fetch(FetchDescriptor<Holder>()) {
      holders[holder.persistentModelID] = "\(holder.name) \(holder.accounts.map(\.persistentModelID))"
    }
  }
}

/// Changes the bank at random, and checks that the contents in memory are consistent.
@ModelActor
actor Clerk {
  private var random = SeededGenerator(seed: 0)
  private var held: [any PersistentModel] = []
  /// The clerk's actions, to explain a mismatch.
  private var log: [String] = []
  private(set) var saveCount = 0

  func work(steps: Int, seed: UInt64, _ gate: SavingGate) throws {
    random = SeededGenerator(seed: seed)
    for step in 0..<steps {
      do {
        try change()
        if random.next() % 3 == 0 { try gate.look { try check("with changes, step \(step)") } }
        try save(gate)
        if random.next() % 2 == 0 { try gate.look { try check("after a save, step \(step)") } }
      } catch let mismatch as Mismatch {
        throw Mismatch("\(mismatch); the last steps:\n  \(log.suffix(25).joined(separator: "\n  "))")
      }
      if held.count > 60 { held.removeFirst(30) }
    }
  }

  private func save(_ gate: SavingGate) throws {
    do {
      try gate.save { try modelContext.save() }
      log.append("saved")
      saveCount += 1
    } catch is SwiftDataError {
      // A linked model was deleted meanwhile.
      log.append("refused")
      if !modelContext.hasChanges { throw Mismatch("a save that failed left nothing pending") }
      modelContext.rollback()
      if modelContext.hasChanges { throw Mismatch("a rollback left changes") }
    }
  }

  private func any<Model: PersistentModel>(_ type: Model.Type) throws -> Model? {
    // Mostly a model in memory, with the values that it has loaded.
    let known = held.compactMap { $0 as? Model }.filter { $0.modelContext == modelContext && !$0.isDeleted }
    if !known.isEmpty, random.next() % 3 > 0 { return known[Int(random.next() % UInt64(known.count))] }
    var descriptor = FetchDescriptor<Model>()
    let count = try modelContext.fetchCount(descriptor)
    guard count > 0 else { return nil }
    descriptor.fetchOffset = Int(random.next() % UInt64(count))
    descriptor.fetchLimit = 1
    let model = try modelContext.fetch(descriptor).first
    if let model { held.append(model) }
    return model
  }

  private func change() throws {
    switch random.next() % 12 {
    case 0:
      let account = Account(number: Int(random.next() % 40))
      account.bookings = [Booking(amount: 1), Booking(amount: 2)]
      modelContext.insert(account)
      if let holder = try any(Holder.self) { account.holders = [holder] }
      log.append("opens \(account.number)")
    case 1, 2:
      guard let account = try any(Account.self) else { return }
      account.bookings.append(Booking(amount: Int(random.next() % 100)))
      log.append("appends to \(brief(account))")
    case 3, 4, 5:
      guard let booking = try any(Booking.self), let account = try any(Account.self) else { return }
      log.append("moves \(brief(booking)) to \(brief(account))")
      if Bool.random(using: &random) {
        booking.account = account
      } else if !account.bookings.contains(where: { $0 === booking }) {
        account.bookings.append(booking)
      }
    case 6:
      guard let account = try any(Account.self), !account.bookings.isEmpty else { return }
      log.append("removes from \(brief(account))")
      account.bookings.removeLast()
    case 7:
      if let booking = try any(Booking.self) {
        log.append("deletes \(brief(booking))")
        modelContext.delete(booking)
      }
    case 8:
      guard try modelContext.fetchCount(FetchDescriptor<Account>()) > 12, let account = try any(Account.self)
      else { return }
      log.append("closes \(brief(account))")
      modelContext.delete(account)
    case 9:
      guard let account = try any(Account.self), let holder = try any(Holder.self) else { return }
      log.append("\(brief(holder)) joins or leaves \(brief(account))")
      if let place = account.holders.firstIndex(where: { $0 === holder }) {
        account.holders.remove(at: place)
      } else {
        holder.accounts.append(account)
      }
    case 10:
      if let booking = try any(Booking.self) {
        booking.amount += 1
        log.append("amount \(brief(booking))")
      }
    default:
      if let account = try any(Account.self) {
        account.note += 1
        log.append("note \(brief(account))")
      }
    }
  }

  /// Merges other contexts' saves, and compares the two sides of relationships, while none saves.
  private func check(_ occasion: String) throws {
    modelContext.processPendingChanges()
    for model in held where model.modelContext == modelContext && !model.isDeleted {
      switch model {
      case let account as Account:
        try compare(account, "bookings", account.bookings, occasion) { $0.account === account }
        try compare(account, "holders", account.holders, occasion) { holder in
          holder.accounts.contains { $0 === account }
        }
      case let booking as Booking:
        try compare(booking, "account", booking.account.map { [$0] } ?? [], occasion) { account in
          account.bookings.contains { $0 === booking }
        }
      case let holder as Holder:
        try compare(holder, "accounts", holder.accounts, occasion) { account in
          account.holders.contains { $0 === holder }
        }
      default: break
      }
    }
  }

  private func compare<Target: PersistentModel>(
    _ model: any PersistentModel, _ name: String, _ targets: [Target], _ occasion: String,
    pointsBack: (Target) -> Bool
  ) throws {
    for target in targets {
      // The target of a change may be deleted by others until the save refuses it.
      if target.modelContext == nil, modelContext.hasChanges { continue }
      if target.modelContext != modelContext || target.isDeleted {
        throw Mismatch("\(occasion): \(brief(model)).\(name) has \(brief(target)), which has no row or is deleted")
      }
      if !pointsBack(target) {
        throw Mismatch(
          """
          \(occasion): \(brief(model)).\(name) has \(brief(target)), which does not lead back:
            \(inWords(model))
            \(inWords(target))
          """)
      }
    }
  }

  /// A model's relationships here and in the store.
  private func inWords(_ model: any PersistentModel) -> String {
    func targets(_ model: any PersistentModel) -> String {
      switch model {
      case let account as Account: "\(account.bookings.map(brief)) \(account.holders.map(brief))"
      case let booking as Booking: booking.account.map(brief) ?? "none"
      case let holder as Holder: "\(holder.accounts.map(brief))"
      default: ""
      }
    }
    let state = model._$withState { "\($0.status)\($0.isFault ? ", unread" : ""), changed \($0.dirty)" }
    let stored = ModelContext(modelContainer).model(for: model.persistentModelID)
    return "\(brief(model)) (\(state)) has \(targets(model)), and \(targets(stored)) in the store"
  }

  /// The contents of the clerk's context once all saves are done.
  func statement() throws -> BankStatement {
    if modelContext.hasChanges { throw Mismatch("a clerk has changes at the end") }
    let statement = try BankStatement(modelContext)
    try check("at the end")
    return statement
  }
}
