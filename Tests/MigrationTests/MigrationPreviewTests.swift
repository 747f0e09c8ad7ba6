import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// Books in three versions. The stages between them have no code.
enum BooksV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self] }

  @Model
  final class Book {
    var title: String
    var subtitle: String?
    var mark: String
    var pages: Int

    init(title: String, subtitle: String?, pages: Int) {
      self.title = title
      self.subtitle = subtitle
      mark = "A \(pages)"
      self.pages = pages
    }
  }
}

/// Renames the title, removes the pages, and adds loans.
enum BooksV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self, Loan.self] }

  @Model
  final class Book {
    @Attribute(originalName: "title") var heading: String
    var subtitle: String?
    var mark: String

    init(heading: String, subtitle: String?, mark: String) {
      self.heading = heading
      self.subtitle = subtitle
      self.mark = mark
    }
  }

  @Model
  final class Loan {
    var person: String

    init(person: String) {
      self.person = person
    }
  }
}

/// Many constraints that books of the first version violate.
enum BooksV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self, Loan.self] }

  @Model
  final class Book {
    @Attribute(.unique, originalName: "title") var heading: String
    var subtitle: String
    var mark: Int
    var rating: Int

    init(heading: String, subtitle: String, mark: Int, rating: Int) {
      self.heading = heading
      self.subtitle = subtitle
      self.mark = mark
      self.rating = rating
    }
  }

  @Model
  final class Loan {
    var person: String
    var days: Int

    init(person: String, days: Int) {
      self.person = person
      self.days = days
    }
  }
}

/// The second version with unique titles.
enum UniqueBooks: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 1, 0)
  static var models: [any PersistentModel.Type] { [Book.self, Loan.self] }

  @Model
  final class Book {
    @Attribute(.unique, originalName: "title") var heading: String
    var subtitle: String?
    var mark: String

    init(heading: String, subtitle: String?, mark: String) {
      self.heading = heading
      self.subtitle = subtitle
      self.mark = mark
    }
  }

  typealias Loan = BooksV2.Loan
}

/// The pages that the second version lacks are required again.
enum PagedBooks: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 2, 0)
  static var models: [any PersistentModel.Type] { [Book.self, Loan.self] }

  @Model
  final class Book {
    @Attribute(originalName: "title") var heading: String
    var subtitle: String = "none"
    var mark: String
    var pages: Int

    init(heading: String, mark: String, pages: Int) {
      self.heading = heading
      self.mark = mark
      self.pages = pages
    }
  }

  typealias Loan = BooksV2.Loan
}

/// The first version with unique, renamed titles, in a table that must be rebuilt.
enum RebuiltBooks {
  @Model
  final class Book {
    @Attribute(.unique, originalName: "title") var heading: String
    var subtitle: String = "none"
    var mark: String
    var pages: Int

    init(heading: String, mark: String, pages: Int) {
      self.heading = heading
      self.mark = mark
      self.pages = pages
    }
  }
}

/// The first version with unique and required subtitles.
enum SubtitledBooks {
  @Model
  final class Book {
    var title: String
    @Attribute(.unique) var subtitle: String = "first"
    var mark: String
    var pages: Int

    init(title: String, mark: String, pages: Int) {
      self.title = title
      self.mark = mark
      self.pages = pages
    }
  }
}

/// The first version with a unique property whose default value all books would get.
enum TokenBooks {
  @Model
  final class Book {
    var title: String
    var subtitle: String?
    var mark: String
    var pages: Int
    @Attribute(.unique) var token: String = "x"

    init(title: String, mark: String, pages: Int) {
      self.title = title
      self.mark = mark
      self.pages = pages
    }
  }
}

enum BooksPlan: SchemaMigrationPlan {
  @TaskLocal static var chosenStages: [MigrationStage] = []

  static var schemas: [any VersionedSchema.Type] { [] }
  static var stages: [MigrationStage] { chosenStages }

  static let toSecond = MigrationStage.lightweight(fromVersion: BooksV1.self, toVersion: BooksV2.self)
}

/// Coats with one wearer each, then with several, then with none.
enum CoatsV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [OneWearer.Coat.self, OneWearer.Wearer.self] }
}

enum CoatsV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [SeveralWearers.Coat.self, SeveralWearers.Wearer.self] }
}

enum CoatsV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Coat.self, Wearer.self, Shop.self] }

  @Model
  final class Coat {
    var name: String

    init(name: String) {
      self.name = name
    }
  }

  @Model
  final class Wearer {
    var name: String

    init(name: String) {
      self.name = name
    }
  }

  @Model
  final class Shop {
    var name: String

    init(name: String) {
      self.name = name
    }
  }
}

enum CoatsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [CoatsV1.self, CoatsV2.self, CoatsV3.self] }
  static var stages: [MigrationStage] { [] }
}

@Suite("Migration previews")
struct MigrationPreviewTests {
  private let folder: TemporaryFolder
  private var configuration: ModelConfiguration { ModelConfiguration(url: folder.file()) }

  init() throws {
    folder = try TemporaryFolder()
    let container = try ModelContainer(for: Schema(versionedSchema: BooksV1.self), configurations: configuration)
    let context = container.freshContext()
    context.insert(BooksV1.Book(title: "a", subtitle: "first", pages: 10))
    context.insert(BooksV1.Book(title: "b", subtitle: nil, pages: 20))
    context.insert(BooksV1.Book(title: "a", subtitle: "third", pages: 30))
    try context.save()
    try container.close()
  }

  /// Makes a preview, and checks that nothing has changed.
  private func preview(
    of version: any VersionedSchema.Type, _ stages: MigrationStage...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> MigrationPreview {
    let before = try StoreFiles.contents(of: folder.url)
    let preview = try BooksPlan.$chosenStages.withValue(stages) {
      try MigrationInspector(
        for: Schema(versionedSchema: version), migrationPlan: BooksPlan.self, configurations: configuration
      ).preview()
    }
    #expect(try StoreFiles.contents(of: folder.url) == before, sourceLocation: sourceLocation)
    return preview
  }

  private func open(_ version: any VersionedSchema.Type, _ stages: MigrationStage...) throws -> ModelContainer {
    try BooksPlan.$chosenStages.withValue(stages) {
      try ModelContainer(
        for: Schema(versionedSchema: version), migrationPlan: BooksPlan.self, configurations: configuration)
    }
  }

  private static func lightweight(to version: any VersionedSchema.Type) -> MigrationStage {
    .lightweight(fromVersion: BooksV2.self, toVersion: version)
  }

  // MARK: Issues

  private static let remedy =
    " A stage of a migration plan merges them: .mergeDuplicates(fromVersion: …, toVersion: …, of: Book.self) "
    + "{ kept, duplicate in … }."

  @Test("A later step lists what its version refuses, and conflicts with the present rows")
  func laterObstacles() throws {
    let preview = try preview(of: BooksV3.self, BooksPlan.toSecond, Self.lightweight(to: BooksV3.self))
    #expect(preview.steps.map(\.followsCode) == [false, false])
    #expect(preview.steps[0].issues == [])
    // The loans need no days, because there are none.
    #expect(
      preview.steps[1].issues.map(\.description).sorted() == [
        #"Book.heading: Models of the store have the same heading, which has to be unique now: "a" (2 models)."#
          + Self.remedy,
        "Book.mark: its type changed from String to Int. Keep it as it was, and give the new one another name, for a stage "
          + "of a migration plan to fill: .mapModels(fromVersion: …, toVersion: …, of: Book.self, to: Book.self) "
          + "{ old, new in … }.",
        "Book.rating: A new property needs a default value or an optional type, for the models that exist: "
          + "var rating: Int = …, or var rating: Int?.",
        "Book.subtitle: It must have a value now, and 1 model of the store has no value of it. It needs a default value: "
          + "var subtitle: String = …. Or give them one first in a stage of a migration plan: .custom(fromVersion: …, "
          + "toVersion: …, willMigrate: { context in … }, didMigrate: nil).",
      ])
    #expect(preview.issues == preview.steps[1].issues)
    #expect(preview.description.contains("\n  issue: Book.mark"))
    try expectRefusal(in: folder) {
      try open(BooksV3.self, BooksPlan.toSecond, Self.lightweight(to: BooksV3.self))
    }
  }

  @Test("Problems that code may solve are listed as such, and disappear once it has run")
  func obstaclesBehindCode() throws {
    let toSecond = MigrationStage.custom(
      fromVersion: BooksV1.self, toVersion: BooksV2.self, willMigrate: nil,
      didMigrate: { context in
        for (index, book) in try context.fetch(FetchDescriptor<BooksV2.Book>()).enumerated() {
          book.heading += " \(index)"
        }
        try context.save()
      })
    let toThird = Self.lightweight(to: UniqueBooks.self)
    let preview = try preview(of: UniqueBooks.self, toSecond, toThird)
    #expect(preview.steps.map(\.followsCode) == [false, true])
    #expect(preview.steps.map(\.issues.count) == [0, 1])
    #expect(preview.description.contains("issue, unless code of the plan resolves it: Book.heading"))
    let context = try open(UniqueBooks.self, toSecond, toThird).freshContext()
    #expect(try context.fetch(FetchDescriptor<UniqueBooks.Book>()).map(\.heading).sorted() == ["a 0", "a 2", "b 1"])
    #expect(try self.preview(of: UniqueBooks.self, toSecond, toThird).steps.isEmpty)
  }

  @Test("Repeated values are found in a renamed column, also if its table is rebuilt")
  func renamedAndUnique() throws {
    let preview = try MigrationInspector(
      for: Schema([RebuiltBooks.Book.self]), configurations: configuration
    ).preview()
    #expect(preview.steps.count == 1)
    #expect(
      preview.issues.map(\.description) == [
        #"Book.heading: Models of the store have the same heading, which has to be unique now: "a" (2 models)."#
          + Self.remedy
      ])
    #expect(preview.steps[0].changes["test"]?.contains { $0.copiesTable && $0.rowCount == 3 } == true)
    let refusal = try expectRefusal(in: folder) {
      try ModelContainer(for: RebuiltBooks.Book.self, configurations: configuration)
    }
    #expect(refusal?.details?.issues == preview.issues)
  }

  @Test("A default value for all models is found to violate a unique constraint")
  func uniqueDefault() throws {
    let schema = Schema([TokenBooks.Book.self])
    let preview = try MigrationInspector(for: schema, configurations: configuration).preview()
    #expect(
      preview.issues.map(\.description) == [
        #"Book.token: Models of the store have the same token, which has to be unique now: "x" (3 models)."#
          + Self.remedy
      ])
    let refusal = try expectRefusal(in: folder) { try ModelContainer(for: schema, configurations: configuration) }
    #expect(refusal?.details?.issues == preview.issues)
    do {
      let container = try ModelContainer(for: Schema(versionedSchema: BooksV1.self), configurations: configuration)
      let context = container.freshContext()
      for book in try context.fetch(FetchDescriptor<BooksV1.Book>()).dropFirst() { context.delete(book) }
      try context.save()
      try container.close()
    }
    #expect(try MigrationInspector(for: schema, configurations: configuration).preview().issues == [])
    _ = try ModelContainer(for: schema, configurations: configuration)
  }

  @Test("A default value that replaces nil is found to violate a unique constraint")
  func uniqueReplacement() throws {
    let schema = Schema([SubtitledBooks.Book.self])
    let preview = try MigrationInspector(for: schema, configurations: configuration).preview()
    #expect(
      preview.issues.map(\.description) == [
        #"Book.subtitle: Models of the store have the same subtitle, which has to be unique now: "first" (2 models)."#
          + Self.remedy
      ])
    let refusal = try expectRefusal(in: folder) { try ModelContainer(for: schema, configurations: configuration) }
    #expect(refusal?.details?.issues == preview.issues)
  }

  @Test("Values that one step archives and a later one restores are not missing")
  func returningValues() throws {
    let toThird = Self.lightweight(to: PagedBooks.self)
    let preview = try preview(of: PagedBooks.self, BooksPlan.toSecond, toThird)
    #expect(preview.issues == [])
    #expect(preview.steps[1].changes["test"]?.contains { $0.summary == "restores the values of Book.pages" } == true)
    let context = try open(PagedBooks.self, BooksPlan.toSecond, toThird).freshContext()
    let books = try context.fetch(FetchDescriptor<PagedBooks.Book>(sortBy: [SortDescriptor(\.pages)]))
    #expect(books.map { "\($0.heading) \($0.subtitle) \($0.pages)" } == ["a first 10", "b none 20", "a third 30"])
  }

  // MARK: Rows

  @Test("Rows of all steps are counted in the present tables")
  func rowCounts() throws {
    let preview = try preview(of: PagedBooks.self, BooksPlan.toSecond, Self.lightweight(to: PagedBooks.self))
    func counts(_ step: Int) -> [String: Int?] {
      let changes = preview.steps[step].changes["test"] ?? []
      return Dictionary(changes.map { ($0.summary, $0.rowCount) }) { first, _ in first }
    }
    #expect(counts(0)["makes the table Loan"] == 0)
    #expect(counts(0)["archives the values of Book.pages"] == 3)
    #expect(counts(0)["drops the column Book.pages"] == 3)
    #expect(counts(1)["restores the values of Book.pages"] == 3)
    #expect(counts(1)["gives every row a value of Book.subtitle"] == 3)
    #expect(counts(1)["rebuilds the table Book with its rows"] == 3)
    #expect(preview.steps[1].description.contains("rebuilds the table Book with its rows (3 rows, copied)"))
  }

  @Test("A table that an earlier step makes has the rows that are moved to it")
  func movedRows() throws {
    let url = folder.file("coats.store")
    do {
      let container = try ModelContainer(
        for: Schema(versionedSchema: CoatsV1.self), configurations: ModelConfiguration(url: url))
      let context = container.freshContext()
      let wearer = OneWearer.Wearer("Ada")
      context.insert(wearer)
      for name in ["red", "green", "blue", "grey"] {
        let coat = OneWearer.Coat(name)
        context.insert(coat)
        coat.wearer = wearer
      }
      try context.save()
      try container.close()
    }
    let preview = try MigrationInspector(
      for: Schema(versionedSchema: CoatsV3.self), migrationPlan: CoatsPlan.self,
      configurations: ModelConfiguration(url: url)
    ).preview()
    #expect(preview.issues == [])
    #expect(preview.steps.count == 2)
    func counts(_ step: Int, _ beginning: String) -> [Int?] {
      (preview.steps[step].changes["coats"] ?? []).filter { $0.summary.hasPrefix(beginning) }.map(\.rowCount)
    }
    #expect(counts(0, "stores the links of ") == [4, 4])
    // Each relationship has at most one row for each coat; the number of coats with a link is not counted.
    #expect(counts(1, "drops the table ") == [4, 4])
    #expect(preview.steps.flatMap { $0.changes["coats"] ?? [] }.allSatisfy { $0.rowCount != nil })
  }
}
