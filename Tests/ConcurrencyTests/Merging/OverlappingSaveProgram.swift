import FaultyDriver
import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestSupport

/// Three contexts change one graph at random. One context may save between the beginning of another's save and its commit, and
/// contexts may read between a commit and its notification. After each step each context's memory must equal the store.
struct OverlappingSaveProgram<Writer: RandomWriter> {
  let number: Int
  /// Each context that saves draws one.
  var policies: [MergePolicy] = [.lastWriterWins]
  /// Whether contexts reinsert deleted models.
  var insertsAgain = false
  /// Whether contexts refresh single models, with or without discarding changes.
  var refreshes = false

  func run() throws {
    let folder = try TemporaryFolder()
    let event = OvertakenDatabase.Event()
    let wrap: @Sendable (any Database) -> any Database = { OvertakenDatabase($0, event) }
    let container = try DatabaseInterception.$wrap.withValue(wrap) {
      try ModelContainer(for: Schema(Writer.types), configurations: ModelConfiguration(url: folder.file()))
    }
    let setup = ModelContext(container)
    Writer.fill(setup)
    try setup.save()
    let log = OverlappingSaveLog()
    let writers = (0..<3).map { index in
      Writer("\(index)", container, seed: UInt64(number * 10 + index), log, refreshes: refreshes)
    }
    for step in 0..<120 {
      let other = step / 3 % 2
      try take(writers[step % 3], writers[(step + 1 + other) % 3], writers[(step + 2 - other) % 3], event)
      guard let mismatch = try firstMismatch(writers, container, log) else { continue }
      Issue.record(
        """
        \(number), step \(step): \(mismatch)
        \(log.lines.suffix(30).joined(separator: "\n"))
        """)
      return
    }
  }

  /// A difference in the store or in one of the contexts, or nil.
  private func firstMismatch(
    _ writers: [Writer], _ container: ModelContainer, _ log: OverlappingSaveLog
  ) throws -> String? {
    if let mismatch = try Writer.storeMismatch(container, log) { return "the store \(mismatch)" }
    let stored = try Writer.stored(container)
    for writer in writers {
      if let mismatch = writer.mismatch(stored) { return "\(writer.name) \(mismatch)" }
    }
    return nil
  }

  /// The first context saves, the second one saves meanwhile, and the third one reads.
  private func take(_ first: Writer, _ second: Writer, _ third: Writer, _ event: OvertakenDatabase.Event) throws {
    let (log, policies) = (first.log, policies)
    try first.change()
    try first.refreshSometimes()
    if first.draw(2) == 0 { try first.change() }
    try second.change()
    let goesFirst = first.draw(3) == 0
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.willSave, object: first.context, queue: nil
    ) { _ in
      log.add(first.name, "begins to save")
      if goesFirst { #expect(throws: Never.self) { try second.saveSomehow(policies) } }
    }
    event.set {
      log.add(goesFirst ? second.name : first.name, "has committed")
      if goesFirst { return }
      for writer in [second, third] where writer.draw(2) == 0 {
        try writer.readSomething()
        try writer.refreshSometimes()
      }
    }
    first.context.mergePolicy = policies[first.draw(policies.count)]
    try first.save()
    // The first context had nothing to save.
    event.set {}
    first.context.mergePolicy = .lastWriterWins
    if !goesFirst {
      try second.saveSomehow(policies)
      if insertsAgain, second.draw(2) == 0 { try second.insertAgain() }
      for _ in 0..<third.draw(3) { try third.readSomething() }
      try third.refreshSometimes()
      if first.draw(2) == 0 { try second.readSomething() }
    }
    NotificationCenter.default.removeObserver(observer)
    log.add("-", "\(second.name) saves what is left")
    try second.save()
  }
}
