public import Foundation
public import SwiftData

extension VersionedSchema {
  /// Writes what stores of this version look like to a JSON file, to be committed when the version is released.
  ///
  /// - Parameter url: The file, which is replaced if it exists.
  /// - Throws: `SwiftDataError` when the schema is not valid, or an error of the file system.
  public static func freeze(to url: URL) throws {
    try FrozenSchema(Schema(versionedSchema: Self.self)).save(to: url)
  }

  /// Checks that the version still is what `freeze(to:)` has written.
  ///
  /// A test that calls the method fails when a change of a model changes a released version.
  ///
  /// - Parameter url: The file of the version.
  /// - Throws: `SwiftDataError.unknownSchema`, whose issues name what has changed, or say that the file cannot be read.
  public static func checkFrozen(at url: URL) throws {
    try FrozenSchema.check(Self.self, at: url)
  }
}

extension ModelContainer {
  /// Makes a store without models as a released version made it, from the file that `freeze(to:)` wrote.
  ///
  /// A test can run a migration plan on the store although the classes of the version are gone from the source.
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
