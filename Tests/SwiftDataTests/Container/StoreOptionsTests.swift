import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Settings of a store")
struct StoreOptionsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("Initializers take store options, which apply to connections that save")
  func reaching() throws {
    let options = ModelConfiguration.StoreOptions(durability: .full, busyTimeout: .seconds(3), logByteLimit: 4096)
    let configuration = ModelConfiguration("s", url: folder.file(), options: options)
    #expect(configuration.options == options)
    #expect(configuration.durability == .full)
    #expect(ModelConfiguration(options: options).options == options)
    #expect(ModelConfiguration().options == ModelConfiguration.StoreOptions())
    let container = try ModelContainer(for: First.Item.self, configurations: configuration)
    let store = try #require(container.core.stores[0] as? RelationalStore)
    var found: [Int64] = []
    try store.database.withoutTransaction { connection in
      for setting in ["synchronous", "journal_size_limit"] {
        try connection.forEachRow("PRAGMA \(setting)") { found.append($0.integer(0)) }
      }
    }
    #expect(found == [2, 4096])
  }

  @Test("The write-ahead log shrinks to logByteLimit after a large save")
  func logSize() throws {
    let configuration = ModelConfiguration(url: folder.file(), options: .init(logByteLimit: 100_000))
    let context = ModelContext(try ModelContainer(for: First.Item.self, configurations: configuration))
    for number in 0..<300 { context.insert(First.Item(title: String(repeating: "x", count: 50_000) + "\(number)")) }
    try context.save()
    for number in 0..<3 {
      context.insert(First.Item(title: "\(number)"))
      try context.save()
    }
    let size = try FileManager.default.attributesOfItem(atPath: folder.file().path + "-wal")[.size] as? Int
    #expect(try #require(size) <= 100_000)
  }

  @Test(
    "A store with out-of-range options can be used",
    arguments: [
      Duration.seconds(-5), .zero, .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.max) * 8,
      .seconds(Int64.min) * 8,
    ])
  func extremes(timeout: Duration) throws {
    let options = ModelConfiguration.StoreOptions(busyTimeout: timeout, logByteLimit: -1)
    let container = try ModelContainer(
      for: First.Item.self, configurations: ModelConfiguration(url: folder.file(), options: options))
    let context = ModelContext(container)
    context.insert(First.Item(title: "kept"))
    try context.save()
    #expect(try container.freshContext().only(First.Item.self).title == "kept")
  }
}
