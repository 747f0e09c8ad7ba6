/// A type of document: its identifier, its file name extension, and the models that a document has.
///
/// Declare each type once:
/// ```swift
/// extension DocumentType {
///   static let flashcards = DocumentType(
///     "com.example.flashcards", filenameExtension: "flashcards", migrationPlan: FlashcardsPlan.self)
/// }
/// ```
///
/// A document records the identifier. The type replaces a `UTType` and the arguments of SwiftUI's `DocumentGroup` in programs
/// for Apple's framework. An addition of OpenSwiftData.
public struct DocumentType: Sendable, CustomStringConvertible {
  /// The form of a document in the file system.
  public enum Conformance: Hashable, Sendable {
    /// A folder that people treat as one file, as with Apple's `UTType.package`.
    case package
    /// A single file, as with Apple's `UTType.data`. No attribute of its models may have external storage.
    case data
  }

  /// The identifier, by convention in reverse-DNS notation.
  public let identifier: String
  /// The extension of file names, without a dot. Case does not matter.
  public let filenameExtension: String
  /// The form of a document in the file system.
  public let conformance: Conformance
  /// The current schema. With a migration plan it is the plan's last version.
  public let schema: Schema
  /// The plan that migrates documents of older versions to the ``schema``; nil for a type without a plan.
  public let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// Settings of the document's store.
  public var options = ModelConfiguration.StoreOptions()
  /// Whether ``PersistentDocument/revert()`` can discard changes that were saved automatically.
  ///
  /// If so, the first automatic save after an explicit save copies the document, which takes time and space in proportion
  /// to its size. Set it to `false` for large documents.
  public var keepsLastSave = true

  /// The ``identifier``.
  public var description: String { identifier }

  /// Declares a type of document for some models and those related to them.
  ///
  /// - Parameters:
  ///   - identifier: The identifier, by convention in reverse-DNS notation.
  ///   - filenameExtension: The extension of file names, without a dot.
  ///   - conformance: The form of a document in the file system.
  ///   - models: The models of a document.
  public init(
    _ identifier: String, filenameExtension: String, conformingTo conformance: Conformance = .package,
    for models: any PersistentModel.Type...
  ) {
    self.init(identifier, filenameExtension, conformance, Schema(models), nil)
  }

  /// Declares a type of document for the models of a plan's last version.
  ///
  /// Documents of older versions are migrated when they are opened.
  ///
  /// - Parameters:
  ///   - identifier: The identifier, by convention in reverse-DNS notation.
  ///   - filenameExtension: The extension of file names, without a dot.
  ///   - conformance: The form of a document in the file system.
  ///   - migrationPlan: The plan, which must have at least one version.
  public init(
    _ identifier: String, filenameExtension: String, conformingTo conformance: Conformance = .package,
    migrationPlan: any SchemaMigrationPlan.Type
  ) {
    let schema = migrationPlan.schemas.last.map { Schema(versionedSchema: $0) } ?? Schema([])
    self.init(identifier, filenameExtension, conformance, schema, migrationPlan)
  }

  private init(
    _ identifier: String, _ filenameExtension: String, _ conformance: Conformance, _ schema: Schema,
    _ migrationPlan: (any SchemaMigrationPlan.Type)?
  ) {
    (self.identifier, self.filenameExtension, self.conformance) = (identifier, filenameExtension, conformance)
    (self.schema, self.migrationPlan) = (schema, migrationPlan)
  }
}
