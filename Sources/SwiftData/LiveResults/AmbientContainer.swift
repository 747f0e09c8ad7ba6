import Support

/// Runs `body` with a container for the queries that are made in it, also in tasks that it starts.
///
/// ```swift
/// let list = withModelContainer(container) { ShoppingList() }  // has an @Query
/// ```
///
/// A query gets the container when it is made. An addition of OpenSwiftData: in SwiftUI it is the modifier
/// `modelContainer(_:)`.
///
/// - Parameters:
///   - container: The container of the queries.
///   - body: Makes the queries.
/// - Throws: What `body` throws.
public func withModelContainer<Result>(_ container: ModelContainer, _ body: () throws -> Result) rethrows -> Result {
  try AmbientContainer.$current.withValue(container, operation: body)
}

/// Runs `body` with a container for the queries that are made in it, also in tasks that it starts.
///
/// - Parameters:
///   - container: The container of the queries.
///   - isolation: The isolation in which `body` runs.
///   - body: Makes the queries.
/// - Throws: What `body` throws.
public func withModelContainer<Result>(
  _ container: ModelContainer, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
  try await AmbientContainer.$current.withValue(container, operation: body)
}

/// The container of queries without a context.
enum AmbientContainer {
  @TaskLocal static var current: ModelContainer?

  /// The context of a query that is used on this thread: the main context on the main thread, and otherwise a new one.
  static func makeContext(of container: ModelContainer?) -> ModelContext {
    let container = container ?? empty
    if MainQueue.isCurrent {
      return MainActor.assumeIsolated { UncheckedContext(context: container.mainContext) }.context
    }
    return ModelContext(container)
  }

  /// Sends a main context out of the main actor, on the main thread.
  private struct UncheckedContext: @unchecked Sendable {
    let context: ModelContext
  }

  /// A container with an empty schema.
  private static let empty: ModelContainer = {
    do {
      return try ModelContainer(for: Schema([]), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    } catch {
      fatalError("A store in memory without models cannot be made: \(error)")
    }
  }()
}
