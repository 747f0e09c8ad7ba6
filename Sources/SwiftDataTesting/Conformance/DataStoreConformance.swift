public import Foundation
public import SwiftData
public import Testing

/// Checks that a store keeps the promises of `DataStore`.
///
/// The author of a store makes one call in a test:
///
/// ```swift
/// @Test("The archive is a store")
/// func conformance() async throws {
///   try await DataStoreConformance.check { url, schema in
///     ArchiveConfiguration(schema: schema, url: url)
///   }
/// }
/// ```
///
/// The suite checks each ``Promise`` with its own models, in a new store, through containers and contexts. A store may leave
/// filters and orders to the context.
public enum DataStoreConformance {
  /// Promises that only some stores make.
  public struct Claims: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// A second container with the same configuration has the saved models.
    public static let persistence = Claims(rawValue: 1)
    /// The save merges an inserted model into the row with its unique values.
    public static let uniqueness = Claims(rawValue: 2)
  }

  /// A promise that a store did not keep.
  public struct Failure: Sendable, CustomStringConvertible {
    /// The promise.
    public let promise: Promise
    /// A description of the difference between the expected and the actual result.
    public let message: String

    /// The promise and the message.
    public var description: String { "\(promise): \(message)" }
  }

  /// Records an issue for each failure of a store to keep its promises.
  ///
  /// Promises about history are checked if the store conforms to `HistoryProviding`, and erasure unless the store throws
  /// `DataStoreError.unsupportedFeature`. The call takes one or two seconds for a store in a file.
  ///
  /// - Parameters:
  ///   - claims: Further promises of the store; nil for those of a `ModelConfiguration`, and for ``Claims/persistence`` with
  ///     other configurations.
  ///   - skipped: Promises that are not checked.
  ///   - sourceLocation: The line of the issues.
  ///   - configure: Returns the configuration of a store with the schema. The URL is in an empty folder, which is removed
  ///     after the check, and its last component is unique. A call with the same URL is for the same store. Stores with
  ///     other URLs must have other identifiers.
  /// - Throws: An error of the file system when the folder cannot be made.
  public static func check<Configuration: DataStoreConfiguration>(
    claiming claims: Claims? = nil, skipping skipped: Set<Promise> = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ configure: @escaping @Sendable (_ url: URL, _ schema: Schema) throws -> Configuration
  ) async throws {
    for failure in try await failures(claiming: claims, skipping: skipped, configure) {
      Issue.record(Comment(rawValue: failure.description), sourceLocation: sourceLocation)
    }
  }

  /// Returns the failures of a store to keep its promises, for tests that do not use Swift Testing.
  ///
  /// - Parameters:
  ///   - claims: As in ``check(claiming:skipping:sourceLocation:_:)``.
  ///   - skipped: Promises that are not checked.
  ///   - configure: As in ``check(claiming:skipping:sourceLocation:_:)``.
  /// - Returns: The failures in the order of the promises; none for a sound store.
  /// - Throws: An error of the file system when the folder cannot be made.
  public static func failures<Configuration: DataStoreConfiguration>(
    claiming claims: Claims? = nil, skipping skipped: Set<Promise> = [],
    _ configure: @escaping @Sendable (_ url: URL, _ schema: Schema) throws -> Configuration
  ) async throws -> [Failure] {
    var failures: [Failure] = []
    for promise in Promise.allCases where !skipped.contains(promise) {
      // The file name is unique too, because a store may use it as its identifier.
      let name = "conformance-\(UUID().uuidString)"
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let trial = StoreTrial(url: folder.appendingPathComponent("\(name).store"), claims, configure)
      do {
        try await trial.run(promise)
      } catch {
        trial.messages.append("threw \(error)")
      }
      failures += trial.messages.map { Failure(promise: promise, message: $0) }
    }
    return failures
  }
}
