import FaultyDriver
import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("References after tables were rebuilt")
struct ReferenceCheckTests {
  private let folder: TemporaryFolder
  private var configuration: ModelConfiguration { ModelConfiguration(url: folder.file()) }

  init() throws {
    folder = try TemporaryFolder()
    let context = ModelContext(
      try ModelContainer(
        for: FormerDocks.Dock.self, FormerDocks.Skiff.self,
        configurations: ModelConfiguration(url: folder.file())))
    let dock = FormerDocks.Dock(name: "north")
    dock.skiffs = ["a", "b"].map(FormerDocks.Skiff.init)
    context.insert(dock)
    try context.save()
  }

  private func openLatter() throws -> ModelContainer {
    try ModelContainer(for: LatterDocks.Dock.self, LatterDocks.Skiff.self, configurations: configuration)
  }

  @Test("A rebuild that loses rows is refused with the references to them, and nothing is changed")
  func lostRows() throws {
    let wrap: @Sendable (any Database) -> any Database = { base in
      let new = "\"swiftdata_rebuilt_Dock\""
      return DisturbedDatabase(base, after: "INSERT INTO \(new)", run: "DELETE FROM \(new)")
    }
    let error = try expectRefusal(in: folder) {
      try DatabaseInterception.$wrap.withValue(wrap) { try openLatter() }
    }
    #expect(error?.details?.issues.map(\.entity) == ["Skiff"])
    #expect(error?.details?.issues.map(\.property) == ["dock"])
    #expect(error?.details?.issues.first?.message.contains("2") == true)
    #expect(try openLatter().freshContext().only(LatterDocks.Dock.self).skiffs.count == 2)
  }

  @Test("References that were dangling before do not prevent a migration")
  func danglingBefore() throws {
    try StoreFiles.execute(
      "PRAGMA foreign_keys = OFF; UPDATE Skiff SET dock_id = 99 WHERE label = 'a'", at: folder.file())
    let context = try openLatter().freshContext()
    #expect(try context.all(LatterDocks.Skiff.self, by: \.label).map(\.label) == ["a", "b"])
    #expect(try context.only(LatterDocks.Dock.self).skiffs.map(\.label) == ["b"])
  }

  @Test("Foreign keys are enforced again after an opening, whether it succeeds or not")
  func foreignKeysAreEnforcedAgain() throws {
    let former = try ModelContainer(
      for: FormerDocks.Dock.self, FormerDocks.Skiff.self, configurations: configuration)
    let latter = try openLatter()
    for container in [former, latter] {
      let store = try #require(container.core.stores.first as? RelationalStore)
      #expect(throws: DatabaseError.self) {
        try store.database.write { try $0.execute("UPDATE Skiff SET dock_id = 99") }
      }
    }
  }
}
