import Foundation
import Logging
import Support
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Logging statements")
struct StatementLoggingTests {
  /// A container whose statements are logged to a recorder, with an author of the given name.
  private func container(
    _ recorder: RecordingHandler, _ logging: ModelConfiguration.StatementLogging = .init(), author: String = "Woolf"
  ) throws -> ModelContainer {
    var configuration = ModelConfiguration("library", isStoredInMemoryOnly: true)
    configuration.statementLogging = logging
    let logger = Logger(label: "test") { _ in recorder }
    let container = try StatementObservation.$logger.withValue(logger) {
      try ModelContainer(for: Schema([Author.self, Book.self, Tag.self]), configurations: configuration)
    }
    let context = ModelContext(container)
    context.insert(Author(name: author, born: 1882))
    try context.save()
    return container
  }

  private func search(_ container: ModelContainer, _ name: String) throws {
    _ = try ModelContext(container).fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.name == name }))
  }

  @Test("At level trace each statement is logged with its store, rows and duration")
  func traced() throws {
    let recorder = RecordingHandler(.trace)
    let container = try container(recorder)
    let beginning = recorder.take()
    #expect(beginning.contains { $0.message.hasPrefix("INSERT INTO \"Author\"") && $0.metadata["rows"] == "1" })
    #expect(beginning.contains { $0.message == "COMMIT" })
    try search(container, "Woolf")
    let entries = recorder.take()
    let entry = try #require(entries.first)
    #expect(entries.count == 1)
    #expect(entry.level == .trace)
    #expect(entry.message.hasPrefix("SELECT ") && entry.message.contains("= ?"))
    #expect(entry.metadata["store"] == "library")
    #expect(entry.metadata["rows"] == "1")
    #expect("\(entry.metadata["milliseconds"] ?? "")".contains(/^\d+\.\d{3}$/))
  }

  @Test("Values are logged only if includesValues is true", arguments: [true, false])
  func values(includesValues: Bool) throws {
    let recorder = RecordingHandler(.trace)
    let container = try container(recorder, .init(includesValues: includesValues), author: "a secret")
    try search(container, "a secret")
    try search(container, "another secret")
    let messages = recorder.take().map(\.message)
    #expect(messages.contains { $0.contains("a secret") } == includesValues)
    #expect(messages.contains { $0.contains("'another secret'") } == includesValues)
  }

  @Test("The values of many changed rows are logged only if includesValues is true", arguments: [true, false])
  func valuesOfManyRows(includesValues: Bool) throws {
    let recorder = RecordingHandler(.trace)
    let context = ModelContext(try container(recorder, .init(includesValues: includesValues)))
    let authors = (0..<20).map { Author(name: "Author \($0)") }
    for author in authors { context.insert(author) }
    try context.save()
    _ = recorder.take()
    for (index, author) in authors.enumerated() { author.name = "secret \(index)" }
    try context.save()
    let updates = recorder.take().filter { $0.message.hasPrefix("UPDATE") && $0.message.contains("\"Author\"") }
    #expect(updates.compactMap { $0.metadata["rows"] } == (includesValues ? Array(repeating: "1", count: 20) : ["20"]))
    for index in 0..<20 {
      #expect(updates.contains { $0.message.contains("'secret \(index)'") } == includesValues)
    }
    let names = try ModelContext(context.container).fetch(FetchDescriptor<Author>()).map(\.name)
    #expect(names.filter { $0.hasPrefix("secret ") }.count == 20)
  }

  @Test("At level notice, only statements slower than the threshold are logged")
  func thresholds() throws {
    let slow = RecordingHandler(.notice)
    try search(try container(slow, .init(slowThreshold: .zero)), "Woolf")
    let entries = slow.take()
    #expect(!entries.isEmpty && entries.allSatisfy { $0.level == .notice })
    let fast = RecordingHandler(.notice)
    try search(try container(fast, .init(slowThreshold: .seconds(3600))), "Woolf")
    #expect(fast.take().isEmpty)
  }

  @Test("At level trace, slow statements are logged at level notice")
  func both() throws {
    let recorder = RecordingHandler(.trace)
    try search(try container(recorder, .init(slowThreshold: .zero)), "Woolf")
    #expect(recorder.take().allSatisfy { $0.level == .notice })
  }

  @Test("Nothing is observed when the logger would drop all statements")
  func silent() {
    let logging = ModelConfiguration.StatementLogging(slowThreshold: .zero)
    for (level, isSilent) in [(Logger.Level.trace, false), (.info, false), (.notice, false), (.warning, true)] {
      let logger = Logger(label: "test") { _ in RecordingHandler(level) }
      #expect((logging.reporter(store: "", to: logger) == nil) == isSilent, "\(level)")
      let isTraced = level == .trace
      #expect((ModelConfiguration.StatementLogging().reporter(store: "", to: logger) != nil) == isTraced, "\(level)")
    }
  }

  // MARK: Blocked threads

  private static func fetchAndSave(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    _ = try context.fetch(FetchDescriptor<Author>())
    context.insert(Author(name: "Sackville-West"))
    try context.save()
  }

  @Test("Blocking a thread of Swift's cooperative pool logs a warning with a statement and a remedy")
  func blocking() async throws {
    let recorder = RecordingHandler(.warning)
    let container = try container(recorder, .init(blockingThreshold: .zero))
    _ = recorder.take()
    try await Task.detached { try Self.fetchAndSave(container) }.value
    let entries = recorder.take()
    for operation in ["read", "write"] {
      #expect(entries.contains { $0.metadata["operation"] == "\(operation)" })
    }
    for entry in entries {
      #expect(entry.level == .warning)
      #expect(entry.message.contains("ModelContainer.perform"))
      #expect(entry.metadata["store"] == "library")
      #expect("\(entry.metadata["milliseconds"] ?? "")".contains(/^\d+\.\d{3}$/))
    }
    #expect(entries.contains { "\($0.metadata["statement"] ?? "")".hasPrefix("SELECT ") })
  }

  @Test("A transaction logs one warning for all of its block")
  func blockingTransaction() async throws {
    let recorder = RecordingHandler(.warning)
    let container = try container(recorder, .init(blockingThreshold: .zero))
    _ = recorder.take()
    try await Task.detached {
      let context = ModelContext(container)
      try context.transaction {
        for author in try context.fetch(FetchDescriptor<Author>()) { author.name += "!" }
      }
    }.value
    #expect(recorder.take().filter { $0.metadata["operation"] == "write" }.count == 1)
  }

  @Test("Work in a model actor, the main actor, a thread of its own or perform logs no warning")
  func notBlocking() async throws {
    let recorder = RecordingHandler(.warning)
    let container = try container(recorder, .init(blockingThreshold: .zero))
    _ = recorder.take()
    try await container.perform { try Self.fetchAndSave($0.container) }
    let tags = TagActor(modelContainer: container)
    _ = try await tags.add("a")
    #expect(try await tags.count() == 1)
    try await MainActor.run { try Self.fetchAndSave(container) }
    let failure: (any Error)? = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        do {
          try Self.fetchAndSave(container)
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error)
        }
      }
    }
    if let failure { throw failure }
    #expect(recorder.take().map(\.message) == [])
    try await Task.detached { try Self.fetchAndSave(container) }.value
    #expect(!recorder.take().isEmpty)
  }

  @Test("No warning is logged below the threshold, without one, or at a higher log level")
  func blockingUnnoticed() async throws {
    let choices: [(Logger.Level, Duration?)] = [(.warning, .seconds(3600)), (.warning, nil), (.error, .zero)]
    for (level, threshold) in choices {
      let recorder = RecordingHandler(level)
      let logging = ModelConfiguration.StatementLogging(blockingThreshold: threshold)
      let container = try container(recorder, logging)
      try await Task.detached { try Self.fetchAndSave(container) }.value
      #expect(recorder.take().isEmpty)
      let logger = Logger(label: "test") { _ in recorder }
      #expect((logging.blockingWatch(store: "", to: logger) != nil) == (threshold == .seconds(3600)))
    }
  }

  @Test("Statements are logged along with warnings about blocked threads")
  func blockingAndTracing() async throws {
    let recorder = RecordingHandler(.trace)
    let container = try container(recorder, .init(blockingThreshold: .zero))
    _ = recorder.take()
    try await Task.detached { try Self.fetchAndSave(container) }.value
    let entries = recorder.take()
    #expect(entries.contains { $0.level == .trace && $0.message.hasPrefix("INSERT INTO \"Author\"") })
    #expect(entries.contains { $0.level == .warning })
  }

  @Test("A failed statement is logged with its error, and a long one is truncated")
  func failureAndLength() throws {
    let recorder = RecordingHandler(.trace)
    let container = try container(recorder, .init(includesValues: true))
    _ = recorder.take()
    let name = String(repeating: "long ", count: 2000)
    try search(container, name)
    let message = try #require(recorder.take().first).message
    #expect(message.count == 4001 && message.hasSuffix("…"))
    let context = ModelContext(container)
    defer { withExtendedLifetime(context) {} }
    let session = try #require(context.graph.requireBinding(for: Author.self).session as? RelationalSession)
    #expect(throws: (any Error).self) {
      try session.store.database.write { connection in
        try connection.execute("CREATE TABLE numbers (number UNIQUE)")
        for _ in 0..<2 { try connection.run("INSERT INTO numbers VALUES (7)") }
      }
    }
    #expect(recorder.take().contains { "\($0.metadata["error"] ?? "")".contains("UNIQUE") })
  }

  @Test("The error for a damaged value does not contain the value")
  func damagedValue() throws {
    let context = ModelContext(try container(RecordingHandler(.error)))
    let session = try #require(context.graph.requireBinding(for: Author.self).session as? RelationalSession)
    try session.store.database.write { try $0.run("UPDATE \"Author\" SET \"born\" = 'a secret'") }
    let error = #expect(throws: SwiftDataError.self) { try context.fetchDistinct(of: \Author.born) }
    #expect(error.map { !"\($0)".contains("secret") } == true)
  }

  @Test("Configurations that differ in their logging only are equal")
  func equality() {
    let configuration = ModelConfiguration("a", isStoredInMemoryOnly: true)
    var other = configuration
    other.statementLogging.includesValues = true
    #expect(other == configuration)
  }
}
