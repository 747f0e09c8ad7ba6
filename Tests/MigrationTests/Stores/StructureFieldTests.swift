import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum FlatPlots {
  struct Size: Codable, Equatable {
    var width: Int
  }

  @Model
  final class Plot {
    var name: String
    var size: Size?

    init(_ name: String, _ size: Size?) {
      self.name = name
      self.size = size
    }
  }
}

/// The structure has one more field, which may be nil.
enum LoosePlots {
  struct Size: Codable, Equatable {
    var width: Int
    var depth: Int?
  }

  @Model
  final class Plot {
    var name: String
    var size: Size?

    init(_ name: String, _ size: Size?) {
      self.name = name
      self.size = size
    }
  }
}

/// The field is required where the structure is present.
enum DeepPlots {
  struct Size: Codable, Equatable {
    var width: Int
    var depth: Int
  }

  @Model
  final class Plot {
    var name: String
    var size: Size?

    init(_ name: String, _ size: Size?) {
      self.name = name
      self.size = size
    }
  }
}

enum DefaultPlots {
  @Model
  final class Plot {
    var name: String
    var size: DeepPlots.Size? = DeepPlots.Size(width: 9, depth: 3)

    init(_ name: String, _ size: DeepPlots.Size?) {
      self.name = name
      self.size = size
    }
  }
}

@Suite("New and required fields of optional structures")
struct StructureFieldTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
    let context = try store.open([FlatPlots.Plot.self]).freshContext()
    context.insert(FlatPlots.Plot("a", .init(width: 1)))
    context.insert(FlatPlots.Plot("b", nil))
    try context.save()
  }

  private func deepSizes() throws -> [DeepPlots.Size?] {
    try store.open([DeepPlots.Plot.self]).freshContext().all(DeepPlots.Plot.self, by: \.name).map(\.size)
  }

  private func expectLack() throws {
    let error = try expectRefusal(in: store.folder) { try store.open([DeepPlots.Plot.self]) }
    let issues = error?.details?.issues ?? []
    #expect(issues.map(\.entity) == ["Plot"])
    #expect(issues.map(\.property) == ["size.depth"])
    #expect(issues.first?.message.contains("1 model of the store has one without it") == true)
  }

  @Test("A new required field without a default value is refused unless all structures are nil")
  func newField() throws {
    try expectLack()
    let context = try store.open([FlatPlots.Plot.self]).freshContext()
    try context.all(FlatPlots.Plot.self, by: \.name)[0].size = nil
    try context.save()
    #expect(try deepSizes() == [nil, nil])
    let deep = try store.open([DeepPlots.Plot.self]).freshContext()
    try deep.all(DeepPlots.Plot.self, by: \.name)[1].size = .init(width: 4, depth: 5)
    try deep.save()
    #expect(try deepSizes() == [nil, DeepPlots.Size(width: 4, depth: 5)])
  }

  @Test("An optional field can become required only if all present structures have it")
  func requiredField() throws {
    let loose = try store.open([LoosePlots.Plot.self]).freshContext()
    #expect(try loose.all(LoosePlots.Plot.self, by: \.name).map(\.size) == [LoosePlots.Size(width: 1), nil])
    try expectLack()
    try loose.all(LoosePlots.Plot.self, by: \.name)[0].size?.depth = 2
    try loose.save()
    #expect(try deepSizes() == [DeepPlots.Size(width: 1, depth: 2), nil])
  }

  @Test("Present structures get the default value of a new field, and nil ones stay nil")
  func defaultValue() throws {
    for _ in 0..<2 {
      let plots = try store.open([DefaultPlots.Plot.self]).freshContext().all(DefaultPlots.Plot.self, by: \.name)
      #expect(plots.map(\.size) == [DeepPlots.Size(width: 1, depth: 3), nil])
    }
    #expect(try store.texts("SELECT name FROM Plot WHERE size_depth IS NOT NULL") == ["a"])
  }
}
