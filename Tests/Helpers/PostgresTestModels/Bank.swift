public import SwiftData
import SwiftDataPostgres

/// The sum of all balances never changes.
@Model
public final class Account {
  @Attribute(.unique) public var number: Int
  public var balance: Int
  public var branch: Branch?

  public init(number: Int, balance: Int) {
    self.number = number
    self.balance = balance
  }
}

@Model
public final class Branch {
  @Attribute(.unique) public var name: String
  @Relationship(inverse: \Account.branch) public var accounts: [Account] = []

  public init(name: String) {
    self.name = name
  }
}

/// What one step of a client has written, in the same transaction as the change.
@Model
public final class Receipt {
  @Attribute(.unique) public var code: String
  public var client: String
  public var number: Int

  public init(client: String, number: Int) {
    code = "\(client)/\(number)"
    self.client = client
    self.number = number
  }
}

/// How many steps of a client are written: a step that is written twice would have one receipt only, because its code is unique.
@Model
public final class Tally {
  @Attribute(.unique) public var client: String
  public var written: Int
  public var deleted: Int
  /// How many of the steps have also counted up the counter that all clients share.
  public var counted: Int

  public init(client: String) {
    self.client = client
    written = 0
    deleted = 0
    counted = 0
  }
}

/// A row that many clients insert, each as a new model with the same unique name.
@Model
public final class Label {
  @Attribute(.unique) public var name: String
  public var client: String

  public init(name: String, client: String) {
    self.name = name
    self.client = client
  }
}

/// A number that clients count up.
@Model
public final class Counter {
  @Attribute(.unique) public var name: String
  public var value: Int

  public init(name: String) {
    self.name = name
    value = 0
  }
}

/// The store of all clients.
public enum Bank {
  public static let accountCount = 20
  public static let branchCount = 4
  public static let labelCount = 12
  public static let startingBalance = 1000
  /// The name by which the server lists the connections of clients.
  public static let applicationName = "PostgresTestProgram"

  /// - Parameter isPooled: Whether the URL is that of a pooler in transaction mode.
  public static func open(
    url: String, namespace: String, connections: Int = 4, applicationName: String = applicationName,
    isPooled: Bool = false
  ) throws -> ModelContainer {
    var configuration = PostgresConfiguration(url: url, namespace: namespace)
    configuration.connections.maximumCount = connections
    configuration.connections.applicationName = applicationName
    configuration.connections.preparedStatements = !isPooled
    configuration.options.busyTimeout = .seconds(30)
    return try ModelContainer(
      for: Account.self, Branch.self, Receipt.self, Tally.self, Label.self, Counter.self, configurations: configuration)
  }

  /// Writes the accounts that clients use.
  public static func fill(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    let branches = (0..<branchCount).map { Branch(name: "branch \($0)") }
    for branch in branches { context.insert(branch) }
    for number in 0..<accountCount {
      let account = Account(number: number, balance: startingBalance)
      context.insert(account)
      account.branch = branches[number % branchCount]
    }
    context.insert(Counter(name: "steps"))
    try context.save()
  }
}
