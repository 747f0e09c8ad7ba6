import Foundation
import Support
import SwiftData

@testable import TestSupport

// A catalogue of a library whose items inherit. The second release adds games and keywords, the third computed values.

enum CatalogueReleases {
  static let calls = StageCalls()
  /// The minutes that films had, by the numbers of the films.
  private static let minutes = Mutex<[Int: Double]>([:])

  static func title(_ number: Int) -> String { (number.isMultiple(of: 2) ? "The " : "") + Varied.name(number) }

  static func sortTitle(_ title: String) -> String { title.hasPrefix("The ") ? String(title.dropFirst(4)) : title }

  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Item.self, Book.self, Film.self, Shelf.self] }

    @Model
    class Item {
      var number: Int
      var title: String
      var price: Double
      var added: Date
      var shelf: Shelf?

      init(_ number: Int) {
        self.number = number
        title = CatalogueReleases.title(number)
        price = Varied.real(number)
        added = Varied.date(number)
      }
    }

    @Model
    final class Book: Item {
      var pages = 0
      var authors: [String] = []
    }

    @Model
    final class Film: Item {
      var minutes = 0.0
      @Attribute(.externalStorage) var poster: Data?
    }

    @Model
    final class Shelf {
      var number: Int
      @Relationship(inverse: \Item.shelf) var items: [Item] = []

      init(_ number: Int) {
        self.number = number
      }
    }
  }

  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] {
      [Item.self, Book.self, Film.self, Game.self, Shelf.self, Keyword.self]
    }

    @Model
    class Item {
      #Index<Item>([\.title])
      var number: Int
      var title: String
      var price: Double
      var added: Date
      var rating: Double?
      var shelf: Shelf?
      @Relationship(inverse: \Keyword.items) var keywords: [Keyword] = []

      init(_ number: Int) {
        self.number = number
        title = CatalogueReleases.title(number)
        price = Varied.real(number)
        added = Varied.date(number)
        rating = Varied.maybe(number, Varied.real(number))
      }
    }

    @Model
    final class Book: Item {
      @Attribute(originalName: "pages") var pageCount = 0
      var authors: [String] = []
    }

    @Model
    final class Film: Item {
      var minutes = 0.0
      var isColour = true
      @Attribute(.externalStorage) var poster: Data?
    }

    @Model
    final class Game: Item {
      var players = 1
    }

    @Model
    final class Shelf {
      var number: Int
      @Relationship(inverse: \Item.shelf) var items: [Item] = []

      init(_ number: Int) {
        self.number = number
      }
    }

    @Model
    final class Keyword {
      @Attribute(.unique) var number: Int
      var items: [Item] = []

      init(_ number: Int) {
        self.number = number
      }
    }
  }

  enum V3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] {
      [Item.self, Book.self, Film.self, Game.self, Shelf.self, Keyword.self]
    }

    @Model
    class Item {
      #Index<Item>([\.sortTitle])
      var number: Int
      var title: String
      var sortTitle = ""
      var price: Double
      var added: Date
      var rating: Double?
      var shelf: Shelf?
      @Relationship(inverse: \Keyword.items) var keywords: [Keyword] = []

      init(_ number: Int) {
        self.number = number
        title = CatalogueReleases.title(number)
        price = Varied.real(number)
        added = Varied.date(number)
      }
    }

    @Model
    final class Book: Item {
      var pageCount = 0
      var authors: [String] = []
      var firstAuthor: String?
    }

    @Model
    final class Film: Item {
      var seconds = -1
      var isColour = true
      @Attribute(.externalStorage) var poster: Data?
    }

    @Model
    final class Game: Item {
      var players = 1
    }

    @Model
    final class Shelf {
      var number: Int
      @Relationship(inverse: \Item.shelf) var items: [Item] = []

      init(_ number: Int) {
        self.number = number
      }
    }

    @Model
    final class Keyword {
      @Attribute(.unique) var number: Int
      var items: [Item] = []

      init(_ number: Int) {
        self.number = number
      }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] {
      [
        .lightweight(fromVersion: V1.self, toVersion: V2.self),
        .custom(
          fromVersion: V2.self, toVersion: V3.self,
          willMigrate: { try calls.run("V3 will", $0, rememberMinutes) },
          didMigrate: { try calls.run("V3 did", $0, compute) }),
      ]
    }

    private static func rememberMinutes(_ context: ModelContext) throws {
      var found: [Int: Double] = [:]
      for film in try context.fetch(FetchDescriptor<V2.Film>()) { found[film.number] = film.minutes }
      minutes.withLock { $0 = found }
    }

    private static func compute(_ context: ModelContext) throws {
      let remembered = minutes.withLock { $0 }
      for item in try context.fetch(FetchDescriptor<V3.Item>()) {
        item.sortTitle = sortTitle(item.title)
        if let book = item as? V3.Book { book.firstAuthor = book.authors.first }
        if let film = item as? V3.Film, let minutes = remembered[film.number] { film.seconds = Int(minutes * 60) }
      }
    }
  }
}
