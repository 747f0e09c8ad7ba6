import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

/// Random changes beside a follower that reads only the history and the rows it names.
///
/// `OSD_SEED` is the random seed, `OSD_RANDOM_OPERATIONS` the number of operations, and `OSD_KILL_ROUNDS` the number of killed
/// processes.
@Suite("Following a store by its history", .serialized)
struct HistoryFollowerTests {
  private static let seed = TestOptions.seed
  private static let operations = TestOptions.randomOperations
  private static let kills = TestOptions.killRounds
  /// Several short runs, because a store grows with each operation.
  private static let runLength = 500

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("The follower reads all properties")
  func readers() {
    func names<Model: LoggedRow>(_ type: Model.Type) -> (Set<String>, Set<String>) {
      (Set(ModelRuntime.of(type).properties.map(\.name)), Set(type.readers.keys))
    }
    for type in LoggedFollower.townModels + [LoggedMember.self] {
      let (all, known) = names(type)
      #expect(all == known)
    }
    #expect(names(LoggedLodge.self).0 == names(LoggedGuild.self).1)
  }

  // MARK: In one process

  @Test("A follower in the same container equals the store after every save")
  func sameContainer() throws {
    try follow(operations: Self.operations / 2, from: .sameContainer)
  }

  @Test("A follower with its own container equals the store after every save")
  func otherContainer() throws {
    try follow(operations: Self.operations / 2, from: .otherContainer)
  }

  private func follow(operations count: Int, from place: LoggedFollowedRun.Place) throws {
    for run in 0..<((count + Self.runLength - 1) / Self.runLength) {
      let seed = Self.seed &+ UInt64(run) &* 1000 &+ (place == .sameContainer ? 0 : 1)
      let town = try LoggedFollowedRun(seed: seed, at: folder.file("\(run).store"), place)
      do {
        for _ in 0..<min(count, Self.runLength) { try town.step() }
        try town.save()
        try town.follow()
      } catch {
        let message = (error as? LoggedMismatch)?.message ?? "\(error)"
        Issue.record(
          "OSD_SEED=\(Self.seed), run \(run): \(message)\n  \(town.log.suffix(40).joined(separator: "\n  "))")
        return
      }
    }
  }

  // MARK: In several contexts

  @Test("A follower equals the store after every save of several contexts with stale rows")
  func severalContexts() throws {
    let length = 200
    for run in 0..<(Self.operations / length) {
      let guilds = try LoggedGuildRun(
        seed: Self.seed &+ UInt64(run) &* 1000 &+ 3, at: folder.file("guilds \(run).store"))
      do {
        for _ in 0..<length { try guilds.step() }
        try guilds.save()
      } catch {
        let message = (error as? LoggedMismatch)?.message ?? "\(error)"
        Issue.record("OSD_SEED=\(Self.seed), run \(run): \(message)\n  \(guilds.log.joined(separator: "\n  "))")
        return
      }
    }
  }

  // MARK: In two processes

  @Test("A follower in another process equals the store after every save")
  func otherProcess() async throws {
    let count = Self.operations / 4
    for run in 0..<((count + Self.runLength - 1) / Self.runLength) {
      let watch = LoggedTownWatch(at: folder.file("\(run).store"), seed: Self.seed &+ UInt64(run) &* 1000 &+ 2)
      let life = watch.life(.afterEachReport, until: .steps(min(count, Self.runLength)))
      let isRight = await watch.follow(life, "OSD_SEED=\(Self.seed), run \(run)") {
        let result = await #expect(processExitsWith: .success) { [life = life as LoggedLife] in try life.run() }
        return result != nil
      }
      if !isRight { return }
    }
  }

  @Test("A follower equals the store after each kill of a writing process, and no transaction is partial")
  func killedProcesses() async throws {
    let watch = LoggedTownWatch(at: folder.file(), seed: Self.seed &+ 3)
    for round in 0..<Self.kills {
      let life = watch.doomedLife()
      let isRight = await watch.follow(life, "OSD_SEED=\(Self.seed), round \(round)") {
        let result = await #expect(processExitsWith: .signal(SIGKILL)) { [life = life as LoggedLife] in
          try life.run()
        }
        return result != nil
      }
      if !isRight { return }
    }
  }
}
