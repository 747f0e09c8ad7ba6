import ArgumentParser
import Foundation
import SwiftData

/// Shows a list of tasks in the terminal, and updates it when this or another process saves.
@main
struct TerminalListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "terminal-list",
    abstract: "Shows the tasks of a store, and follows what other processes save.",
    discussion: """
      Reads commands from standard input, one a line: sort title|priority|date, filter [TEXT], add TITLE (each "!" in \
      front of the title makes it more urgent), done NUMBER, delete NUMBER, quit.
      """)

  @Argument(help: "The store's file, made when missing.")
  var store: String

  @Option(help: ArgumentHelp("Show nothing: add so many tasks and end.", valueName: "count"))
  var add: Int?

  func validate() throws {
    if store.isEmpty { throw ValidationError("The path of the store must not be empty.") }
    if let add, add < 1 { throw ValidationError("--add needs a count of at least 1 (was \(add)).") }
  }

  @MainActor
  func run() async throws {
    let container = try ModelContainer(for: Item.self, configurations: ModelConfiguration(url: URL(filePath: store)))
    guard let add else { return try await Session(container).run(Self.lines()) }
    let context = container.mainContext
    for number in 1...add { context.insert(Item(title: "Task \(number)", priority: number % 4)) }
    try context.save()
  }

  /// The lines of standard input, which a separate thread reads.
  private static func lines() -> AsyncStream<String> {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
    return lines
  }
}
