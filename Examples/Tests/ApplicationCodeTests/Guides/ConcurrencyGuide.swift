import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum ConcurrencyGuide {
  typealias Trip = ModelsAndContextsGuide.Trip

  @Model
  final class Account {
    var balance = 0

    init() {}
  }

  enum TransferError: Error { case refused }

  @ModelActor
  actor Importer {
    func add(_ names: [String]) throws {
      for name in names {
        modelContext.insert(Trip(name: name, start: .now))
      }
      try modelContext.save()
    }

    func rename(_ identifier: PersistentIdentifier, to name: String) throws {
      self[identifier, as: Trip.self]?.name = name
      try modelContext.save()
    }
  }

  static func add(_ container: ModelContainer) async throws {
    let importer = Importer(modelContainer: container)
    try await importer.add(["Coast", "Mountains"])
  }

  static func next(_ container: ModelContainer) async throws -> [String] {
    let now = Date.now
    let names = try await container.perform { context in
      var descriptor = FetchDescriptor<Trip>(
        predicate: #Predicate { $0.start > now }, sortBy: [SortDescriptor(\.start)])
      descriptor.fetchLimit = 10
      return try context.fetch(descriptor).map(\.name)
    }
    return names
  }

  @ModelActor
  actor Bank {
    func transfer(_ amount: Int, from: PersistentIdentifier, to: PersistentIdentifier) throws {
      try modelContext.transaction {
        guard let from = self[from, as: Account.self], let to = self[to, as: Account.self],
          from.balance >= amount
        else { throw TransferError.refused }
        from.balance -= amount
        to.balance += amount
      }
    }
  }
}
