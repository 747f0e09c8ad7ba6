import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Generations of a custom store")
struct SnapshotGenerationTests {
  @Test("A change tells the generation that it made, and one that fails makes one as well")
  func changeTellsGeneration() throws {
    let folder = try TemporaryFolder()
    let configuration = ArchiveConfiguration(url: folder.file("library.json"))
    let store = SnapshotStore(
      try ArchiveStore(configuration, migrationPlan: nil), name: configuration.name, schema: Schema())
    let before = store.currentGeneration
    let made = try store.change { _ in "answer" }
    #expect(made.answer == "answer")
    #expect(made.generation == before + 1)
    #expect(store.currentGeneration == made.generation)
    #expect(throws: ArchiveError.full) {
      _ = try store.change { _ -> Int in throw ArchiveError.full }
    }
    #expect(try store.read { _ in "answer" }.generation == made.generation + 1)
  }

  @Test("A change inside another counts as well")
  func changeInsideAnother() throws {
    let folder = try TemporaryFolder()
    let configuration = ArchiveConfiguration(url: folder.file("library.json"))
    let store = SnapshotStore(
      try ArchiveStore(configuration, migrationPlan: nil), name: configuration.name, schema: Schema())
    let outer = try store.change { _ in try store.change { _ in 1 } }
    #expect(outer.generation == outer.answer.generation + 1)
    #expect(store.currentGeneration == outer.generation)
  }
}
