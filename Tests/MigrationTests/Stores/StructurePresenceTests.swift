import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

enum LooseExtents {
  struct Extent: Codable, Equatable {
    var width: Int?
    var height: Int?
  }

  @Model
  final class Crate {
    var name: String
    var extent: Extent?

    init(_ name: String, _ extent: Extent?) {
      self.name = name
      self.extent = extent
    }
  }
}

/// The same structure, no longer optional.
enum GivenExtents {
  @Model
  final class Crate {
    var name: String
    var extent: LooseExtents.Extent

    init(_ name: String, _ extent: LooseExtents.Extent) {
      self.name = name
      self.extent = extent
    }
  }
}

/// A structure of the same name with a required field, which shows whether it is nil.
enum FirmExtents {
  struct Extent: Codable, Equatable {
    var width: Int?
    var height: Int
  }

  @Model
  final class Crate {
    var name: String
    var extent: Extent?

    init(_ name: String, _ extent: Extent?) {
      self.name = name
      self.extent = extent
    }
  }
}

@Suite("Structures that need a column for being nil")
struct StructurePresenceTests {
  private let store: MigratingStore

  init() throws {
    store = try MigratingStore()
    let context = try store.open([LooseExtents.Crate.self]).freshContext()
    context.insert(LooseExtents.Crate("a", .init(width: 1, height: 2)))
    context.insert(LooseExtents.Crate("b", nil))
    try context.save()
  }

  private func extents() throws -> [LooseExtents.Extent?] {
    try store.open([LooseExtents.Crate.self]).freshContext().all(LooseExtents.Crate.self, by: \.name).map(\.extent)
  }

  /// When all fields of a structure can be nil, only its presence column shows whether it is.
  private func expectRefusal(of type: any PersistentModel.Type) throws {
    try TestSupport.expectRefusal(in: store.folder) { try store.open([type]) }
    #expect(try extents() == [LooseExtents.Extent(width: 1, height: 2), nil])
  }

  @Test("A structure with only optional fields is refused when it is no longer optional")
  func noLongerOptional() throws {
    try expectRefusal(of: GivenExtents.Crate.self)
  }

  @Test("An optional structure with only optional fields is refused when a field becomes required")
  func fieldBecomesRequired() throws {
    try expectRefusal(of: FirmExtents.Crate.self)
  }
}
