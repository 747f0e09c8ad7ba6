import Foundation
import Logging
import SwiftData

/// The progress of an import, for pages.
struct ImportProgress: Encodable, Equatable {
  let id: String
  let text: String
  let isRunning: Bool
}

/// The running import. Only one import runs at a time.
@MainActor
final class Imports {
  private let container: ModelContainer
  private let logger: Logger
  private let show: (ImportProgress) -> Void
  private var running: (id: String, task: Task<Void, Never>)?

  init(_ container: ModelContainer, logger: Logger, show: @escaping (ImportProgress) -> Void) {
    self.container = container
    self.logger = logger
    self.show = show
  }

  /// - Returns: The identifier of the import.
  /// - Throws: ``CardError/importRunning``.
  func start(_ file: CardFile, intoDeck deck: UUID) throws -> String {
    if running != nil { throw CardError.importRunning }
    let id = UUID().uuidString
    report(id, 0, of: file)
    running = (id, Task { await run(id, file, deck) })
    return id
  }

  func cancel(_ id: String) throws {
    guard let running, running.id == id else { throw CardError.gone("import") }
    running.task.cancel()
  }

  /// Cancels the import, and returns when its cards are deleted.
  func stop() async {
    running?.task.cancel()
    await running?.task.value
  }

  private func run(_ id: String, _ file: CardFile, _ deck: UUID) async {
    let text: String
    do {
      let importer = CardImporter(modelContainer: container)
      try await importer.insert(file.entries, intoDeck: deck) { count in await self.report(id, count, of: file) }
      text = "\(Self.cards(file.entries.count)) imported"
    } catch is CancellationError {
      text = "Import cancelled"
    } catch CardError.gone {
      text = "Import stopped, because the deck was deleted"
    } catch {
      logger.error("An import failed: \(error)")
      text = "Import failed, and nothing of it was kept"
    }
    running = nil
    show(ImportProgress(id: id, text: text, isRunning: false))
  }

  private func report(_ id: String, _ count: Int, of file: CardFile) {
    let text = "Importing \(Self.number(count)) of \(Self.cards(file.entries.count))"
    show(ImportProgress(id: id, text: text, isRunning: true))
  }

  private static func cards(_ count: Int) -> String { count == 1 ? "1 card" : "\(number(count)) cards" }

  private static func number(_ number: Int) -> String {
    number.formatted(.number.locale(Locale(identifier: "en_US")))
  }
}
