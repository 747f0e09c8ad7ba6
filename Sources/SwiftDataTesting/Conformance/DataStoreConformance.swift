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
/// Each ``Promise`` is checked with containers over a store of its own, through contexts, as an application uses it. A
/// store may leave filters and orders to the context. The suite has models of its own.
public enum DataStoreConformance {
  /// What only some stores promise.
  public struct Claims: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// What is saved is there again when the same configuration is opened a second time.
    public static let persistence = Claims(rawValue: 1)
    /// A save turns an inserted model into the row that has its unique values already.
    public static let uniqueness = Claims(rawValue: 2)
  }

  /// A promise that a store did not keep.
  public struct Failure: Sendable, CustomStringConvertible {
    /// What the store promises.
    public let promise: Promise
    /// What the store did instead.
    public let message: String

    /// The promise and the message.
    public var description: String { "\(promise.rawValue): \(message)" }
  }

  /// Records an issue for each failure of a store to keep its promises.
  ///
  /// Promises about history are checked where the store conforms to `HistoryProviding`, and erasure where it does not
  /// throw `DataStoreError.unsupportedFeature`. The call takes one or two seconds for a store in a file.
  ///
  /// - Parameters:
  ///   - claims: What the store promises beyond that; nil for what a `ModelConfiguration` promises, and
  ///     ``Claims/persistence`` for other configurations.
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
      // The name is unique as well, because stores may have it as their identifier.
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
