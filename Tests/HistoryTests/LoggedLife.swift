import Foundation

@testable import SwiftData
@testable import TestSupport

/// The life of a process that changes a town and reports its actions.
struct LoggedLife: Codable {
  enum End: Codable {
    case steps(Int)
    /// After some time from a commit's start, or from the process's start if there are no commits.
    case kill(commits: Int, microseconds: UInt32)
  }

  /// When the test reads the store.
  enum ReadingTime: Codable, CaseIterable {
    case unread
    /// The test reads it at any moment.
    case atAnyTime
    /// The test reads it after each report, for which the process waits.
    case afterEachReport
  }

  let store: URL
  let seed: UInt64
  /// The first number for the names of models.
  let number: Int
  let end: End
  let reading: ReadingTime

  /// The actions so far.
  var log: LoggedMessages { messages("log") }
  /// The last transaction after each commit.
  var reports: LoggedMessages { messages("reports") }
  /// A line for each report that the test has read.
  var answers: LoggedMessages { messages("answers") }

  private func messages(_ name: String) -> LoggedMessages {
    LoggedMessages(url: store.appendingPathExtension(name))
  }

  /// Runs in the calling process.
  func run() throws {
    // Ends a process that hangs, so that the tests do not.
    Self.send(SIGTERM, after: 300_000_000)
    if case .kill(0, let time) = end { Self.send(SIGKILL, after: time) }
    var steps = Int.max
    if case .steps(let count) = end { steps = count }
    do {
      let town = try LoggedRemoteRun(self)
      for _ in 0..<steps { try town.step() }
      try town.save()
      try town.follow()
    } catch {
      try log.add("\(error)")
      throw error
    }
  }

  fileprivate static func send(_ signal: Int32, after microseconds: UInt32) {
    Thread.detachNewThread {
      // Not at an event, because the process may be killed at any moment.
      usleep(microseconds)
      kill(getpid(), signal)
    }
  }
}

/// A file of lines that one process writes and another one reads.
struct LoggedMessages {
  /// The answer that no more reports will be read.
  static let stop: Substring = "stop"

  let url: URL

  /// The complete lines so far.
  var lines: [Substring] {
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  func add(_ line: some StringProtocol) throws {
    guard let file = fopen(url.path, "a") else { throw LoggedMismatch(message: "\(url.path) cannot be written") }
    defer { fclose(file) }
    fputs("\(line)\n", file)
  }

  func clear() {
    try? FileManager.default.removeItem(at: url)
  }
}

/// A run in a process of its own.
private final class LoggedRemoteRun: LoggedTownRun {
  private let life: LoggedLife
  private var commitCount = 0
  private var reportCount = 0

  init(_ life: LoggedLife) throws {
    self.life = life
    try super.init(seed: life.seed, at: life.store, number: life.number)
  }

  override func note(_ event: String) {
    try? life.log.add(event)
  }

  override func commit(_ work: () throws -> Void) throws {
    commitCount += 1
    if case .kill(commitCount, let time) = life.end { LoggedLife.send(SIGKILL, after: time) }
    try work()
    try report()
  }

  override func follow() throws {
    try report()
  }

  private func report() throws {
    guard let store = container.stores.first as? RelationalStore else { return }
    try life.reports.add("\(store.lastTransaction())")
    reportCount += 1
    guard life.reading == .afterEachReport else { return }
    // The answering test may wait a long time for its turn.
    let isAnswered = comesTrueHere(within: .seconds(600)) {
      let answers = life.answers.lines
      if answers.last == LoggedMessages.stop { kill(getpid(), SIGKILL) }
      return answers.count >= reportCount
    }
    if !isAnswered { throw LoggedMismatch(message: "the test has not read report \(reportCount)") }
  }
}
