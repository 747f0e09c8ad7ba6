import Foundation
import SwiftData

@testable import TestSupport

// Accounts and their entries. The second release adds categories, the third one balances, the fourth one unique names.

enum LedgerReleases {
  enum Kind: Int, Codable {
    case expense, income, transfer
  }

  static let calls = StageCalls()

  static func cents(_ number: Int) -> Int { (number.isMultiple(of: 2) ? number : -number) * 1_000_000_000_007 }

  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Account.self, Entry.self] }

    @Model
    final class Account {
      var number: Int
      var name: String
      @Relationship(inverse: \Entry.account) var entries: [Entry] = []

      init(_ number: Int) {
        self.number = number
        name = Varied.name(number)
      }
    }

    @Model
    final class Entry {
      #Index<Entry>([\.booked])
      var number: Int
      var cents: Int
      var memo: String?
      var isCleared: Bool
      var booked: Date
      var account: Account?

      init(_ number: Int) {
        self.number = number
        cents = LedgerReleases.cents(number)
        memo = Varied.maybe(number, Varied.text(number))
        isCleared = number.isMultiple(of: 2)
        booked = Varied.date(number)
      }
    }
  }

  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Account.self, Entry.self, Category.self] }

    @Model
    final class Account {
      var number: Int
      var name: String
      @Relationship(inverse: \Entry.account) var entries: [Entry] = []

      init(_ number: Int) {
        self.number = number
        name = Varied.name(number)
      }
    }

    @Model
    final class Entry {
      #Index<Entry>([\.bookedOn], [\.kind, \.bookedOn])
      var number: Int
      var cents: Int
      var memo: String = "none"
      var isCleared: Bool
      @Attribute(originalName: "booked") var bookedOn: Date
      var kind = Kind.expense
      var rate = Decimal(1)
      var account: Account?
      var category: Category?

      init(_ number: Int) {
        self.number = number
        cents = LedgerReleases.cents(number)
        memo = Varied.text(number)
        isCleared = number.isMultiple(of: 2)
        bookedOn = Varied.date(number)
        kind = Kind(rawValue: number % 3) ?? .expense
        rate = Decimal(number) / 8
      }
    }

    @Model
    final class Category {
      @Attribute(.unique) var number: Int
      @Relationship(inverse: \Entry.category) var entries: [Entry] = []

      init(_ number: Int) {
        self.number = number
      }
    }
  }

  enum V3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Account.self, Entry.self, Category.self] }

    @Model
    final class Account {
      var number: Int
      var name: String
      var balance = 0
      @Relationship(inverse: \Entry.account) var entries: [Entry] = []

      init(_ number: Int) {
        self.number = number
        name = Varied.name(number)
        balance = Varied.whole(number)
      }
    }

    @Model
    final class Entry {
      #Index<Entry>([\.bookedOn], [\.kind, \.bookedOn])
      var number: Int
      var cents: Int
      var memo: String = "none"
      var isCleared: Bool
      var bookedOn: Date
      var kind = Kind.expense
      var rate = Decimal(1)
      var account: Account?
      var category: Category?

      init(_ number: Int) {
        self.number = number
        cents = LedgerReleases.cents(number)
        memo = Varied.text(number)
        isCleared = number.isMultiple(of: 2)
        bookedOn = Varied.date(number)
        kind = Kind(rawValue: number % 3) ?? .expense
        rate = Decimal(number) / 8
      }
    }

    @Model
    final class Category {
      @Attribute(.unique) var number: Int
      @Relationship(inverse: \Entry.category) var entries: [Entry] = []

      init(_ number: Int) {
        self.number = number
      }
    }
  }

  enum V4: VersionedSchema {
    static let versionIdentifier = Schema.Version(4, 0, 0)
    static var models: [any PersistentModel.Type] { [Account.self, Entry.self, Category.self] }

    @Model
    final class Account {
      var number: Int
      @Attribute(.unique) var name: String
      var balance = 0
      @Relationship(deleteRule: .cascade, inverse: \Entry.account) var entries: [Entry] = []

      init(_ number: Int) {
        self.number = number
        name = Varied.name(number)
      }
    }

    @Model
    final class Entry {
      #Index<Entry>([\.bookedOn])
      var number: Int
      var cents: Int
      var memo: String = "none"
      var isCleared: Bool?
      var checked: Date?
      var bookedOn: Date
      var kind = Kind.expense
      var rate = Decimal(1)
      var account: Account?
      var category: Category?

      init(_ number: Int) {
        self.number = number
        cents = LedgerReleases.cents(number)
        bookedOn = Varied.date(number)
      }
    }

    @Model
    final class Category {
      @Attribute(.unique) var number: Int
      @Relationship(inverse: \Entry.category) var entries: [Entry] = []

      init(_ number: Int) {
        self.number = number
      }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self, V4.self] }
    static var stages: [MigrationStage] {
      [
        .lightweight(fromVersion: V1.self, toVersion: V2.self),
        .custom(
          fromVersion: V2.self, toVersion: V3.self, willMigrate: nil,
          didMigrate: { try calls.run("V3 did", $0, addUp) }),
        .lightweight(fromVersion: V3.self, toVersion: V4.self),
      ]
    }

    private static func addUp(_ context: ModelContext) throws {
      for account in try context.fetch(FetchDescriptor<V3.Account>()) {
        account.balance = account.entries.reduce(0) { $0 + $1.cents }
      }
    }
  }
}
