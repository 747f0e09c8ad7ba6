import FaultyDriver
import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Model
final class Sketch {
  @Attribute(.externalStorage) var image: Data

  init(_ image: Data) {
    self.image = image
  }
}

enum FormerDocks {
  @Model
  final class Dock {
    var name: String
    @Relationship(inverse: \Skiff.dock) var skiffs: [Skiff] = []

    init(name: String) {
      self.name = name
    }
  }

  @Model
  final class Skiff {
    var label: String
    var dock: Dock?

    init(label: String) {
      self.label = label
    }
  }
}

enum LatterDocks {
  @Model
  final class Dock {
    var name: String?
    @Relationship(inverse: \Skiff.dock) var skiffs: [Skiff] = []

    init(name: String?) {
      self.name = name
    }
  }

  @Model
  final class Skiff {
    var label: String
    var dock: Dock?

    init(label: String) {
      self.label = label
    }
  }
}

@Suite("Containers that share a file and have different schemas")
struct SharedSchemaTests {
  private let folder: TemporaryFolder
  private static let first = Data(repeating: 7, count: 200_000)
  private static let second = Data(repeating: 8, count: 200_000)

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func small(_ url: URL) throws -> ModelContainer {
    try ModelContainer(for: Drawing.self, configurations: ModelConfiguration(url: url))
  }

  private static func large(_ url: URL) throws -> ModelContainer {
    try ModelContainer(for: Drawing.self, Sketch.self, configurations: ModelConfiguration(url: url))
  }

  private static func write(_ model: some PersistentModel, to container: ModelContainer) throws {
    let context = ModelContext(container)
    context.insert(model)
    try context.save()
  }

  private var fileCount: Int {
    ExternalFiles(store: folder.file()).names().count
  }

  /// Opens a store and runs an event of another container between its first read of the file and its first transaction.
  private func open(
    after event: @escaping @Sendable () throws -> Void, _ open: () throws -> ModelContainer
  ) throws -> ModelContainer {
    let wrap: @Sendable (any Database) -> any Database = { base in
      // The event uses a database without interception.
      PrecededDatabase(base) { try DatabaseInterception.$wrap.withValue(nil) { try event() } }
    }
    return try DatabaseInterception.$wrap.withValue(wrap) { try open() }
  }

  /// Opens a store that does not observe the file: an observer's read of the history would delay the removal of files.
  private func openUnfollowed(_ open: () throws -> ModelContainer) throws -> ModelContainer {
    try DatabaseInterception.$wrap.withValue({ $0 }, operation: open)
  }

  @Test("Erasing keeps the external files of models that are not in the container's schema")
  func erasingKeepsFiles() throws {
    let small = try openUnfollowed { try Self.small(folder.file()) }
    try Self.write(Drawing(Self.first), to: small)
    let large = try openUnfollowed { try Self.large(folder.file()) }
    try Self.write(Sketch(Self.second), to: large)
    #expect(fileCount == 2)
    try small.erase()
    #expect(fileCount == 1)
    let context = large.freshContext()
    #expect(try context.fetchCount(FetchDescriptor<Drawing>()) == 0)
    #expect(try context.only(Sketch.self).image == Self.second)
  }

  @Test("Opening keeps the external files of models that another container adds in the meantime")
  func openingKeepsFiles() throws {
    let url = folder.file()
    try Self.write(Drawing(Self.first), to: Self.small(url))
    let add: @Sendable () throws -> Void = { try Self.write(Sketch(Self.second), to: Self.large(url)) }
    let small = try open(after: add) { try Self.small(url) }
    #expect(try small.freshContext().only(Drawing.self).image == Self.first)
    #expect(try Self.large(url).freshContext().only(Sketch.self).image == Self.second)
    #expect(fileCount == 2)
  }

  @Test("A store that another container creates in the meantime keeps its links when a table is rebuilt")
  func storeCreatedMeanwhile() throws {
    let url = folder.file()
    let create: @Sendable () throws -> Void = {
      let former = ModelContext(
        try ModelContainer(
          for: FormerDocks.Dock.self, FormerDocks.Skiff.self, configurations: ModelConfiguration(url: url)))
      let dock = FormerDocks.Dock(name: "north")
      dock.skiffs = ["a", "b"].map(FormerDocks.Skiff.init)
      former.insert(dock)
      try former.save()
    }
    let latter = try open(after: create) {
      try ModelContainer(
        for: LatterDocks.Dock.self, LatterDocks.Skiff.self, configurations: ModelConfiguration(url: url))
    }
    let context = latter.freshContext()
    #expect(try context.all(LatterDocks.Skiff.self, by: \.label).map { $0.dock?.name } == ["north", "north"])
    #expect(try context.only(LatterDocks.Dock.self).skiffs.map(\.label) == ["a", "b"])
  }

  @Test("External files of a store that another container creates in the meantime are adopted and removed")
  func filesCreatedMeanwhile() throws {
    let url = folder.file()
    let create: @Sendable () throws -> Void = {
      let filed = try ModelContainer(for: FiledPhotos.Photo.self, configurations: ModelConfiguration(url: url))
      try Self.write(FiledPhotos.Photo(pixels: Self.first), to: filed)
    }
    let inline = try open(after: create) {
      try ModelContainer(for: InlinePhotos.Photo.self, configurations: ModelConfiguration(url: url))
    }
    #expect(try inline.freshContext().only(InlinePhotos.Photo.self).pixels == Self.first)
    #expect(fileCount == 0)
  }
}
