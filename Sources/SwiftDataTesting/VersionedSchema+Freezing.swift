public import Foundation
public import SwiftData

extension VersionedSchema {
  /// Writes the schema of this version to a JSON file, to be committed when the version is released.
  ///
  /// - Parameter url: The file, which is replaced if it exists.
  /// - Throws: `SwiftDataError` when the schema is not valid, or an error of the file system.
  public static func freeze(to url: URL) throws {
    try FrozenSchema(Schema(versionedSchema: Self.self)).save(to: url)
  }

  /// Checks that the version is the same as the one that `freeze(to:)` has written.
  ///
  /// A test that calls the method fails when a change of a model changes a released version.
  ///
  /// - Parameter url: The file of the version.
  /// - Throws: `SwiftDataError.unknownSchema`, whose issues list the changes, or when the file cannot be read.
  public static func checkFrozen(at url: URL) throws {
    try FrozenSchema.check(Self.self, at: url)
  }
}

extension ModelContainer {
  /// Makes an empty store of a released version, from the file that `freeze(to:)` wrote.
  ///
  /// A test can run a migration plan on the store even when the source has no classes of the version any more.
  ///
  /// - Parameters:
  ///   - frozen: The file of the version.
  ///   - url: The file of the store, which must not exist.
  /// - Throws: `SwiftDataError.unknownSchema` when the file of the version cannot be read, and
  ///   `SwiftDataError.loadIssueModelContainer` when the file of the store exists or cannot be written.
  public static func makeStore(ofFrozenSchema frozen: URL, at url: URL) throws {
    try FrozenSchema.load(from: frozen).makeStore(at: url)
  }
}
