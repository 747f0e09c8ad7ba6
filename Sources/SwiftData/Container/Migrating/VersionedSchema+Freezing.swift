public import Foundation

// Schemas of released versions, kept beside the source. Additions of OpenSwiftData.

extension VersionedSchema {
  /// Writes what stores of this version look like to a JSON file, to be committed when the version is released.
  ///
  /// - Throws: ``SwiftDataError`` when the schema has faults, or an error of the file.
  public static func freeze(to url: URL) throws {
    try FrozenSchema(Schema(versionedSchema: Self.self)).save(to: url)
  }

  /// Checks that the version still is what ``freeze(to:)`` has written: for a test of one line, which fails when somebody
  /// changes a model without a new version.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema``, whose issues tell what has changed, or that the file cannot be read.
  public static func checkFrozen(at url: URL) throws {
    let frozen = try FrozenSchema.load(from: url)
    let schema = Schema(versionedSchema: Self.self)
    if schema.versionHash == frozen.hash { return }
    throw SwiftDataError.unknownSchema.with(
      message:
        "\(Schema.qualifiedName(of: Self.self)) is not what it was when it was released, which \(url.lastPathComponent) tells.",
      hint: """
        Undo the change, and make it in a new VersionedSchema with a stage that leads there. If no store of the version \
        was ever given away, write the file anew with freeze(to:).
        """,
      issues: SchemaDifference.issues(of: frozen.schema.entities, beside: schema))
  }
}

extension ModelContainer {
  /// Makes a store without models as a released version made them, from the file that
  /// ``VersionedSchema/freeze(to:)`` wrote: to try a migration plan against versions whose classes are long gone.
  ///
  /// - Parameters:
  ///   - frozen: The file of the version.
  ///   - url: The file of the store, which is not there yet.
  public static func makeStore(ofFrozenSchema frozen: URL, at url: URL) throws {
    try FrozenSchema.load(from: frozen).makeStore(at: url)
  }
}
