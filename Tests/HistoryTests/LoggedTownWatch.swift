import Foundation
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

/// Follows a town that other processes change, one after the other.
final class LoggedTownWatch {
  private let store: URL
  private var container: ModelContainer?
  private var follower = LoggedFollower()
  private var dice: SeededGenerator
  private var lifeCount = 0

  init(at store: URL, seed: UInt64) {
    self.store = store
    dice = SeededGenerator(seed: seed)
  }

  // MARK: Lives of processes

  func life(_ reading: LoggedLife.ReadingTime, until end: LoggedLife.End) -> LoggedLife {
    lifeCount += 1
    return LoggedLife(store: store, seed: dice.next(), number: lifeCount * 10_000, end: end, reading: reading)
  }

  /// The life of a process that is killed while it opens the store, while it saves, or shortly after.
  func doomedLife() -> LoggedLife {
    let reading = LoggedLife.ReadingTime.allCases.randomElement(using: &dice) ?? .unread
    let isShort = Int.random(in: 0..<5, using: &dice) == 0
    let commits = isShort ? 0 : Int.random(in: 1...20, using: &dice)
    let time = UInt32.random(in: 0..<(isShort ? 30_000 : 5000), using: &dice)
    return life(reading, until: .kill(commits: commits, microseconds: time))
  }

  // MARK: Following

  /// Follows the store during the life of a process, and compares it afterwards.
  ///
  /// - Parameters:
  ///   - title: Identifies the life among several.
  ///   - process: Runs the life, and returns whether it ended as expected.
  /// - Returns: Whether no difference was found.
  func follow(_ life: LoggedLife, _ title: String, _ process: @escaping @Sendable () async -> Bool) async -> Bool {
    for messages in [life.log, life.reports, life.answers] { messages.clear() }
    let known = follower.numbers.count
    let isOver = Mutex(false)
    async let isRight = {
      defer { isOver.withLock { $0 = true } }
      return await process()
    }()
    var failure: (any Error)?
    do {
      switch life.reading {
      case .unread: try close()
      case .atAnyTime:
        while !isOver.withLock({ $0 }) {
          try lookAtAnyTime()
          // Not at an event: the process gets a little time to write, and may be in any state.
          try await Task.sleep(for: .microseconds(300))
        }
      case .afterEachReport:
        var answerCount = 0
        while !isOver.withLock({ $0 }) {
          _ = await comesTrue { isOver.withLock { $0 } || life.reports.lines.count > answerCount }
          try answer(life, &answerCount)
        }
      }
    } catch {
      failure = error
      try? life.answers.add(LoggedMessages.stop)
    }
    let hasEnded = await isRight
    do {
      if let failure { throw failure }
      if !hasEnded { throw LoggedMismatch(message: "the process has not ended as it should") }
      try lookAfterwards(life, since: known)
      return true
    } catch {
      let message = (error as? LoggedMismatch)?.message ?? "\(error)"
      let log = life.log.lines.suffix(40).joined(separator: "\n  ")
      Issue.record("\(title), \(life.reading), \(life.end): \(message)\n  \(log)")
      return false
    }
  }

  private func open() throws -> ModelContainer {
    if let container { return container }
    let opened = try LoggedTownRun.open(store)
    container = opened
    return opened
  }

  private func close() throws {
    try container?.close()
    container = nil
  }

  private func follow() throws {
    try follower.follow(open())
    try follower.check(open())
  }

  /// The process waits.
  private func answer(_ life: LoggedLife, _ answerCount: inout Int) throws {
    let reports = life.reports.lines
    guard reports.count > answerCount, let last = reports.last else { return }
    try follow()
    if let number = follower.numbers.last, "\(number)" != last {
      throw LoggedMismatch(message: "transaction \(number) is the last one, and not \(last)")
    }
    try life.answers.add("\(last)")
    answerCount += 1
  }

  /// The process continues, unless the lock prevents its writes.
  private func lookAtAnyTime() throws {
    switch Int.random(in: 0..<10, using: &dice) {
    case 0: try follower.trim(open())
    case 1...4: try ModelContext(open()).transaction { try follow() }
    default: try follower.readTransactions(open())
    }
  }

  /// The process has ended.
  private func lookAfterwards(_ life: LoggedLife, since known: Int) throws {
    try follow()
    try follower.check(LoggedTownRun.open(store))
    let reported = Set(life.reports.lines.compactMap { Int64($0) }).subtracting([0])
    if let missing = reported.subtracting(follower.numbers).min() {
      throw LoggedMismatch(message: "transaction \(missing) was committed, and is not recorded")
    }
    // The last commit may have been too late to be reported.
    var unreported = follower.numbers[known...].filter { !reported.contains($0) }
    if case .kill = life.end, unreported.last == follower.numbers.last { unreported = unreported.dropLast() }
    if let first = unreported.first {
      throw LoggedMismatch(message: "transaction \(first) is recorded, and was not committed")
    }
    if Int.random(in: 0..<4, using: &dice) == 0 { try follower.trim(open()) }
  }
}
