import FaultyDriver
import Foundation
import Relational
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Backups")
struct BackupTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(_ name: String = "test.store") throws -> ModelContainer {
    try ModelContainer(for: Purse.self, Drawing.self, configurations: ModelConfiguration(url: folder.file(name)))
  }

  @Test("A backup contains the saved models with their identifiers and external files, and no unsaved changes")
  func copying() throws {
    let container = try open()
    let context = ModelContext(container)
    let purse = Purse("a", coins: 1)
    let image = Data(repeating: 7, count: 300_000)
    context.insert(purse)
    context.insert(Drawing(image))
    try context.save()
    context.insert(Purse("unsaved", coins: 1))
    try container.backup(to: folder.file("copy.store"))
    purse.coins = 2
    try context.save()
    let copy = ModelContext(try open("copy.store"))
    #expect(try copy.fetch(FetchDescriptor<Purse>()).map(\.coins) == [1])
    #expect(try copy.fetch(FetchDescriptor<Purse>()).map(\.persistentModelID) == [purse.persistentModelID])
    #expect(try copy.fetch(FetchDescriptor<Drawing>()).map(\.image) == [image])
    try #require(try copy.fetch(FetchDescriptor<Drawing>()).first).image = Data()
    try copy.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Drawing>()).map(\.image) == [image])
  }

  @Test("An in-memory store can be backed up to a file")
  func memory() throws {
    let container = try ModelContainer(
      for: Purse.self, Drawing.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Purse("a", coins: 3))
    try context.save()
    try container.backup(to: folder.file())
    #expect(try ModelContext(open()).fetch(FetchDescriptor<Purse>()).map(\.coins) == [3])
  }

  @Test("A backup overwrites nothing, and a failed one leaves nothing")
  func refusals() throws {
    let container = try open()
    let context = ModelContext(container)
    context.insert(Drawing(Data(repeating: 7, count: 300_000)))
    try context.save()
    try Data("mine".utf8).write(to: folder.file("taken"))
    try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      at: folder.file("link"), withDestinationURL: folder.file("nowhere"))
    let before = try StoreFiles.contents(of: folder.url)
    for name in ["taken", "folder", "link", "test.store"] {
      let failure = #expect(throws: SwiftDataError.storeFailure) { try container.backup(to: folder.file(name)) }
      #expect(failure?.details?.storeFailureReason == .targetExists)
    }
    let missing = #expect(throws: SwiftDataError.storeFailure) {
      try container.backup(to: folder.file("no/copy.store"))
    }
    #expect(missing?.details?.storeFailureReason == .cannotOpen)
    try context.transaction {
      let busy = #expect(throws: SwiftDataError.storeFailure) { try container.backup(to: folder.file("copy.store")) }
      #expect(busy?.details?.storeFailureReason == .busy)
    }
    #expect(try StoreFiles.contents(of: folder.url) == before)
    #expect(try String(contentsOf: folder.file("taken"), encoding: .utf8) == "mine")
  }

  @Test("A database call that fails during a backup leaves nothing at the target")
  func failingCalls() throws {
    let faults = CallFailures()
    let container = try DatabaseInterception.$wrap.withValue(faults.wrap) { try open() }
    let context = ModelContext(container)
    context.insert(Drawing(Data(repeating: 7, count: 300_000)))
    try context.save()
    let before = try StoreFiles.contents(of: folder.url)
    for call in 0..<100 {
      faults.fail(call...call, with: .diskFull)
      let isMade = (try? container.backup(to: folder.file("copy.store"))) != nil
      let hasFailed = faults.stop() > 0
      #expect(isMade != hasFailed, "call \(call)")
      if isMade { break }
      #expect(try StoreFiles.contents(of: folder.url) == before)
    }
    #expect(try ModelContext(open("copy.store")).fetchCount(FetchDescriptor<Drawing>()) == 1)
  }

  @Test("A backup contains external files of models that are not in the container's schema")
  func unknownModels() throws {
    let image = Data(repeating: 8, count: 300_000)
    let small = try open()
    func openLarge(_ name: String) throws -> ModelContainer {
      try ModelContainer(
        for: Purse.self, Drawing.self, Sketch.self, configurations: ModelConfiguration(url: folder.file(name)))
    }
    let context = ModelContext(try openLarge("test.store"))
    context.insert(Sketch(image))
    context.insert(Drawing(image))
    try context.save()
    try small.backup(to: folder.file("copy.store"))
    let copy = ModelContext(try openLarge("copy.store"))
    #expect(try copy.fetch(FetchDescriptor<Sketch>()).map(\.image) == [image])
    #expect(try copy.fetch(FetchDescriptor<Drawing>()).map(\.image) == [image])
  }

  @Test("A backup contains external files of archived values, whether the container's schema has the property or not")
  func archivedValues() throws {
    let scan = Data(repeating: 9, count: 300_000)
    func openFull(_ name: String) throws -> ModelContainer {
      try ModelContainer(
        for: FullParcels.Parcel.self, FullParcels.Depot.self, FullParcels.Seal.self,
        configurations: ModelConfiguration(url: folder.file(name)))
    }
    let full = try openFull("test.store")
    let context = ModelContext(full)
    let parcel = FullParcels.Parcel(1, label: "a")
    context.insert(parcel)
    parcel.scan = scan
    try context.save()
    let bare = try ModelContainer(
      for: BareParcels.Parcel.self, BareParcels.Depot.self, BareParcels.Seal.self,
      configurations: ModelConfiguration(url: folder.file()))
    for (name, container) in [("bare", bare), ("full", full)] {
      try container.backup(to: folder.file(name))
      #expect(try ModelContext(openFull(name)).fetch(FetchDescriptor<FullParcels.Parcel>()).map(\.scan) == [scan])
    }
  }

  @Test("Several configurations are backed up to files in a folder, and a failure leaves none")
  func several() throws {
    let recipes = ModelConfiguration("recipes", schema: Schema([Recipe.self]), url: folder.file("r.store"))
    let rest = ModelConfiguration("rest", url: folder.file())
    let container = try ModelContainer(for: Schema([Recipe.self, Author.self]), configurations: [rest, recipes])
    let context = ModelContext(container)
    context.insert(Recipe("soup"))
    context.insert(Author(name: "Ursula"))
    try context.save()
    let target = folder.file("backup")
    try container.backup(to: target)
    #expect(try StoreFiles.contents(of: target).keys.sorted() == ["recipes.store", "rest.store"])
    let copied = target.appendingPathComponent("recipes.store")
    #expect(try StoreFiles.texts("SELECT name FROM Recipe", at: copied) == ["soup"])
    let failure = #expect(throws: SwiftDataError.storeFailure) { try container.backup(to: target) }
    #expect(failure?.details?.storeFailureReason == .targetExists)
  }

  @Test("Backups made during saves contain a committed state")
  func underLoad() async throws {
    let container = try open()
    let setup = ModelContext(container)
    for number in 0..<10 { setup.insert(Purse("\(number)", coins: 100)) }
    setup.insert(Drawing(Data(repeating: 0, count: 200_000)))
    try setup.save()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<2 {
        let container = worker == 0 ? container : try open()
        group.addTask {
          let context = ModelContext(container)
          for round in 0..<60 {
            try context.transaction {
              let purses = try context.fetch(FetchDescriptor<Purse>())
              purses[round % 10].coins -= 3
              purses[(round + 1 + worker) % 10].coins += 3
              try context.fetch(FetchDescriptor<Drawing>()).first?.image = Data(
                repeating: UInt8(round), count: 200_000 + round)
            }
          }
        }
      }
      for number in 0..<5 {
        try container.backup(to: folder.file("copy\(number).store"))
        let copy = ModelContext(try open("copy\(number).store"))
        #expect(try copy.fetch(FetchDescriptor<Purse>()).map(\.coins).reduce(0, +) == 1000)
        let image = try #require(try copy.fetch(FetchDescriptor<Drawing>()).first).image
        #expect(image.count >= 200_000)
        #expect(Set(image).count == 1)
      }
      try await group.waitForAll()
    }
  }
}
