import Foundation
public import SwiftData

/// One client of the bank, with a context of its own, on one thread.
///
/// Each step writes its receipt and is acknowledged afterwards. A step that fails because a connection was lost must have left
/// nothing, unless the error says that this is unknown.
public final class BankClient {
  /// What a step found that may never be.
  public struct Complaint: Error, CustomStringConvertible {
    public let description: String
  }

  private let container: ModelContainer
  private let name: String
  private var context: ModelContext
  private var number = 0
  /// The numbers of receipts that the client can delete.
  private var kept: [Int] = []

  public init(_ name: String, _ container: ModelContainer) {
    self.name = name
    self.container = container
    context = ModelContext(container)
  }

  /// Does one step.
  ///
  /// - Returns: The number of the receipt of the step if it has written one.
  /// - Throws: A `Complaint`, or an error that is not that of a lost connection.
  public func step() throws -> Int? {
    do {
      return try attempt()
    } catch let error as SwiftDataError
      where [.disconnected, .commitUnknown].contains(error.details?.storeFailureReason)
    {
      context = ModelContext(container)
      return try resolve(error)
    }
  }

  private func attempt() throws -> Int? {
    switch Int.random(in: 0..<10) {
    case 0..<4: return try write(transfer)
    case 4: return try write(relate)
    case 5: return try write(label)
    case 6: return try remove()
    case 7: return try insert()
    default:
      try check()
      return nil
    }
  }

  // MARK: Steps

  /// Writes a receipt, the tally and the change of a step in one transaction, which reads what it changes.
  private func write(_ change: () throws -> Void) throws -> Int {
    let next = number + 1
    try context.transaction {
      let tally = try tally()
      tally.written += 1
      tally.counted += 1
      try count()
      context.insert(Receipt(client: name, number: next))
      try change()
    }
    number = next
    kept.append(next)
    return next
  }

  private func tally() throws -> Tally {
    let name = name
    let found = try context.fetch(FetchDescriptor<Tally>(predicate: #Predicate { $0.client == name })).first
    if let found { return found }
    let tally = Tally(client: name)
    context.insert(tally)
    return tally
  }

  /// Counts up a row that all clients write.
  private func count() throws {
    try context.fetch(FetchDescriptor<Counter>(predicate: #Predicate { $0.name == "steps" })).first?.value += 1
  }

  private func account() throws -> Account {
    let number = Int.random(in: 0..<Bank.accountCount)
    guard
      let account = try context.fetch(FetchDescriptor<Account>(predicate: #Predicate { $0.number == number })).first
    else { throw Complaint(description: "the account \(number) is missing") }
    return account
  }

  private func transfer() throws {
    let amount = Int.random(in: 1...100)
    try account().balance -= amount
    try account().balance += amount
  }

  private func relate() throws {
    let name = "branch \(Int.random(in: 0..<Bank.branchCount))"
    let branch = try context.fetch(FetchDescriptor<Branch>(predicate: #Predicate { $0.name == name })).first
    try account().branch = branch
  }

  private func label() {
    context.insert(Label(name: "label \(Int.random(in: 0..<Bank.labelCount))", client: name))
  }

  /// Deletes an own receipt.
  private func remove() throws -> Int? {
    guard let index = kept.indices.randomElement() else { return nil }
    let number = kept[index]
    let name = name
    let own = #Predicate<Receipt> { $0.client == name && $0.number == number }
    // When an answer is lost, the receipt may be deleted or not.
    kept.remove(at: index)
    try context.transaction {
      guard let receipt = try context.fetch(FetchDescriptor(predicate: own)).first else {
        throw Complaint(description: "the receipt \(name)/\(number) is missing")
      }
      context.delete(receipt)
      try tally().deleted += 1
    }
    return nil
  }

  /// Saves without a transaction: only rows that no other client writes.
  private func insert() throws -> Int {
    let next = number + 1
    try tally().written += 1
    context.insert(Receipt(client: name, number: next))
    try context.save()
    number = next
    kept.append(next)
    return next
  }

  private func check() throws {
    let context = ModelContext(container)
    let accounts = try context.fetch(FetchDescriptor<Account>())
    let sum = accounts.reduce(0) { $0 + $1.balance }
    guard accounts.count == Bank.accountCount, sum == Bank.accountCount * Bank.startingBalance else {
      throw Complaint(description: "\(accounts.count) accounts have \(sum)")
    }
  }

  // MARK: Lost connections

  /// Finds out whether the step that failed is written.
  ///
  /// - Returns: The number of its receipt if it is.
  private func resolve(_ error: SwiftDataError) throws -> Int? {
    let next = number + 1
    let code = "\(name)/\(next)"
    let isWritten = try retrying {
      try context.fetchCount(FetchDescriptor<Receipt>(predicate: #Predicate { $0.code == code })) > 0
    }
    if !isWritten { return nil }
    number = next
    kept.append(next)
    guard error.details?.storeFailureReason == .commitUnknown else {
      throw Complaint(description: "\(code) is written, but its save threw \(error)")
    }
    return next
  }

  private func retrying<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<20 {
      do {
        return try body()
      } catch let error as SwiftDataError where error.details?.storeFailureReason == .disconnected {
        context = ModelContext(container)
      }
    }
    return try body()
  }
}

extension BankClient {
  /// Counts up a row, in a transaction each.
  public static func count(_ times: Int, in container: ModelContainer) throws {
    let context = ModelContext(container)
    guard let counter = try context.fetch(FetchDescriptor<Counter>()).first else {
      throw Complaint(description: "there is no counter")
    }
    for _ in 0..<times {
      try context.transaction { counter.value += 1 }
    }
  }

  /// Inserts receipts, in a save each.
  public static func insert(_ times: Int, as name: String, in container: ModelContainer) throws {
    let context = ModelContext(container)
    for number in 1...times {
      context.insert(Receipt(client: name, number: number))
      try context.save()
    }
  }
}
