import Foundation
import SwiftData
import Testing

@testable import TestSupport

@Suite("Many writers on one store")
struct ConcurrencyStressTests {
  static let steps = 60

  @Test("Four model actors, the main actor and a second container lose no save")
  func countsTogether() async throws {
    let folder = try TemporaryFolder()
    let container = try Self.open(folder)
    let second = try Self.open(folder)
    let setup = ModelContext(container)
    setup.insert(Board())
    try setup.save()
    let steps = Self.steps
    try await withThrowingTaskGroup(of: Void.self) { group in
      let places: [Counting.Place] = [\.first, \.second, \.third, \.fourth]
      for (index, place) in places.enumerated() {
        let counter = Counter(modelContainer: container)
        group.addTask { try await counter.count(Counting(worker: "actor \(index)", place: place), times: steps) }
      }
      let counter = Counter(modelContainer: second)
      group.addTask { try await counter.count(Counting(worker: "other", place: \.other), times: steps) }
      group.addTask { try await Self.countOnMain(container) }
      try await group.waitForAll()
    }
    let context = ModelContext(try Self.open(folder))
    let tallies = try context.fetch(FetchDescriptor<Tally>())
    #expect(tallies.map(\.count) == Array(repeating: steps, count: 6))
    let board = try #require(try context.fetch(FetchDescriptor<Board>()).first)
    #expect([board.first, board.second, board.third, board.fourth, board.main, board.other] == tallies.map(\.count))
    let strokes = try context.fetch(FetchDescriptor<Stroke>())
    for tally in tallies {
      #expect(strokes.filter { $0.worker == tally.worker }.map(\.count) == Array(1...steps), "\(tally.worker)")
    }
  }

  @MainActor
  private static func countOnMain(_ container: ModelContainer) async throws {
    for _ in 0..<steps {
      try Counting(worker: "main", place: \.main).step(container.mainContext)
      await Task.yield()
    }
  }

  private static func open(_ folder: TemporaryFolder) throws -> ModelContainer {
    try ModelContainer(
      for: Tally.self, Board.self, Stroke.self, configurations: ModelConfiguration(url: folder.file()))
  }
}
