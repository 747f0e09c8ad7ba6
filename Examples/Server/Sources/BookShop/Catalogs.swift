import SwiftData

/// Provides the actors for requests, and answers requests that need none.
struct Catalogs: Sendable {
  /// Whether requests share an actor.
  enum Sharing: String, CaseIterable, Sendable {
    case shared
    case perRequest = "per-request"
  }

  private let container: ModelContainer
  private let shared: Catalog
  private let readers: Sharing
  private let writers: Sharing

  /// By default reads run concurrently, and changes wait in one queue.
  init(container: ModelContainer, readers: Sharing = .perRequest, writers: Sharing = .shared) {
    self.container = container
    self.readers = readers
    self.writers = writers
    shared = Catalog(modelContainer: container)
  }

  var reader: Catalog { catalog(readers) }
  var writer: Catalog { catalog(writers) }

  /// Needs no actor.
  func bookCount() async throws -> Int {
    try await container.perform { context in
      try context.fetchCount(FetchDescriptor<Book>())
    }
  }

  /// Returns when the shared actor has finished its work and saved it.
  func finish() async throws {
    try await shared.finish()
  }

  private func catalog(_ sharing: Sharing) -> Catalog {
    switch sharing {
    case .shared: shared
    case .perRequest: Catalog(modelContainer: container)
    }
  }
}
