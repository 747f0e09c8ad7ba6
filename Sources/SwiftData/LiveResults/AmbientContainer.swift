import Support

/// Runs `body` with a container for the queries that are made in it, also in tasks that it makes.
///
/// ```swift
/// let list = withModelContainer(container) { ShoppingList() }  // has an @Query
/// ```
///
/// A query takes the container when it is made. An addition of OpenSwiftData: in SwiftUI it is the modifier
/// `modelContainer(_:)`.
public func withModelContainer<Result>(_ container: ModelContainer, _ body: () throws -> Result) rethrows -> Result {
  try AmbientContainer.$current.withValue(container, operation: body)
}

/// Runs `body` with a container for the queries that are made in it, also in tasks that it makes.
public func withModelContainer<Result>(
  _ container: ModelContainer, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
  try await AmbientContainer.$current.withValue(container, operation: body)
}

/// The container of queries that are given no context.
enum AmbientContainer {
  @TaskLocal static var current: ModelContainer?

  /// The context of a query that is used here: the main one on the main thread, and a new one elsewhere.
  static func makeContext(of container: ModelContainer?) -> ModelContext {
    let container = container ?? empty
    if MainQueue.isCurrent {
      return MainActor.assumeIsolated { UncheckedContext(context: container.mainContext) }.context
    }
    return ModelContext(container)
  }

  /// Carries a main context out of the main actor, on the main thread.
  private struct UncheckedContext: @unchecked Sendable {
    let context: ModelContext
  }

  /// A container that knows no models.
  private static let empty: ModelContainer = {
    do {
      return try ModelContainer(for: Schema([]), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    } catch {
      fatalError("A store in memory without models cannot be made: \(error)")
    }
  }()
}
