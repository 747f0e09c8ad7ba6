import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Generations of a custom store")
struct SnapshotGenerationTests {
  @Test("A change announces its generation, and a failed one counts as well")
  func announcements() throws {
    let folder = try TemporaryFolder()
    let configuration = ArchiveConfiguration(url: folder.file("library.json"))
    let store = SnapshotStore(
      try ArchiveStore(configuration, migrationPlan: nil), name: configuration.name, schema: Schema())
    let before = store.currentGeneration
    var made: (answer: String, generation: Int)?
    try store.change { _ in
      "answer"
    } announce: {
      made = ($0, $1)
    }
    #expect(made?.answer == "answer")
    #expect(made?.generation == before + 1)
    #expect(store.currentGeneration == before + 1)
    #expect(throws: ArchiveError.full) {
      try store.change { _ -> Int in
        throw ArchiveError.full
      } announce: { _, _ in
        Issue.record("A change that failed was announced.")
      }
    }
    #expect(try store.read { _ in "answer" }.generation == before + 2)
  }

  @Test("A nested change has a generation of its own")
  func nestedChange() throws {
    let folder = try TemporaryFolder()
    let configuration = ArchiveConfiguration(url: folder.file("library.json"))
    let store = SnapshotStore(
      try ArchiveStore(configuration, migrationPlan: nil), name: configuration.name, schema: Schema())
    var generations: [Int] = []
    try store.change { _ in
      try store.change { _ in
      } announce: {
        generations.append($1)
      }
    } announce: {
      generations.append($1)
    }
    #expect(generations == [1, 2])
    #expect(store.currentGeneration == 2)
  }

  @Test("Changes on several threads are announced in order")
  func orderOfAnnouncements() throws {
    let folder = try TemporaryFolder()
    let configuration = ArchiveConfiguration(url: folder.file("library.json"))
    let store = SnapshotStore(
      try ArchiveStore(configuration, migrationPlan: nil), name: configuration.name, schema: Schema())
    let generations = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<250 {
        #expect(throws: Never.self) {
          try store.change { _ in
          } announce: { _, generation in
            generations.withLock { $0.append(generation) }
          }
        }
      }
    }
    #expect(generations.withLock { $0 } == Array(1...1000))
  }
}
