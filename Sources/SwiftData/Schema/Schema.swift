public import Foundation

/// The models that a container knows: an entity for each type, with its properties and how they relate.
///
/// A schema is built once and not changed afterwards, and neither are its entities, which is what makes sharing it safe:
/// the conformance to `Sendable` is unchecked because of the model types that it looks entities up by.
public final class Schema: Codable, Hashable, @unchecked Sendable {
  /// The version of the form in which a schema is encoded.
  public static let schemaEncodingVersion = Version(1, 0, 0)

  /// The version of the form in which this schema was encoded, or would be.
  public let encodingVersion: Version
  /// The version that people gave the schema.
  public let version: Version
  /// The entities: those of the listed types first, then those that they relate to or inherit from.
  public let entities: [Entity]
  /// The entities, by name.
  public let entitiesByName: [String: Entity]

  private let entitiesByType: [ObjectIdentifier: Entity]
  /// What the builder found wrong. A container refuses such a schema.
  let issues: [SwiftDataError.Issue]

  private init(
    entities: [Entity], version: Version, encodingVersion: Version = Schema.schemaEncodingVersion,
    issues: [SwiftDataError.Issue] = []
  ) {
    self.entities = entities
    self.version = version
    self.encodingVersion = encodingVersion
    self.issues = issues
    entitiesByName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    entitiesByType = Dictionary(
      entities.compactMap { entity in entity.modelType.map { (ObjectIdentifier($0), entity) } }
    ) { first, _ in first }
  }

  /// A schema without entities.
  public convenience init() {
    self.init(entities: [], version: Version(1, 0, 0))
  }

  /// A schema that is put together by hand. Subentities join by themselves.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    var seen: Set<ObjectIdentifier> = []
    let all = (entities + entities.flatMap(Self.withSubentities)).filter { seen.insert(ObjectIdentifier($0)).inserted }
    self.init(entities: all, version: version)
  }

  /// The schema of some types and those they relate to or inherit from.
  public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
    self.init(types, version: version)
  }

  /// The schema of some types and those they relate to or inherit from.
  ///
  /// Making it does not fail: what is wrong with it is thrown by the container that is made with it.
  public convenience init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
    var builder = SchemaBuilder()
    builder.build(types)
    self.init(entities: builder.entities, version: version, issues: builder.issues)
  }

  /// The schema of a version's models.
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
  }

  private enum CodingKeys: String, CodingKey {
    case encodingVersion, version, entities, names
  }

  /// Reads a schema that ``encode(to:)`` wrote. Its entities know no types.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let roots = try container.decode([Entity].self, forKey: .entities)
    let all = roots.flatMap(Self.withSubentities)
    let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    let entities = try container.decode([String].self, forKey: .names).compactMap { byName[$0] }
    self.init(
      entities: entities, version: try container.decode(Version.self, forKey: .version),
      encodingVersion: try container.decode(Version.self, forKey: .encodingVersion))
  }

  private static func withSubentities(_ entity: Entity) -> [Entity] {
    [entity] + entity.subentities.flatMap(withSubentities)
  }

  /// Writes the schema. Types go by their names.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(encodingVersion, forKey: .encodingVersion)
    try container.encode(version, forKey: .version)
    // An entity takes its subentities along, so the topmost ones are all; the names keep the order.
    try container.encode(entities.filter { $0.superentity == nil }, forKey: .entities)
    try container.encode(entities.map(\.name), forKey: .names)
  }

  /// Whether both have equal entities and one version.
  public static func == (lhs: Schema, rhs: Schema) -> Bool {
    lhs === rhs || lhs.version == rhs.version && lhs.entitiesByName == rhs.entitiesByName
  }

  /// Feeds the version and the entities' names to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(version)
    hasher.combine(Set(entities.map(\.name)))
  }

  /// Writes the schema to a file, as JSON.
  public func save(to toURL: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: toURL, options: .atomic)
  }

  /// Reads a schema that ``save(to:)`` wrote.
  public static func load(from fromURL: URL) throws -> Schema {
    try JSONDecoder().decode(Schema.self, from: Data(contentsOf: fromURL))
  }

  /// The entity of a type; `nil` when the schema has none.
  ///
  /// The type itself counts, not its name, so a schema tells `SchemaV1.Trip` from `SchemaV2.Trip`. The entities of a schema
  /// that was read from a file have no types, and are found by name.
  public func entity<T>(for type: T.Type) -> Entity? where T: PersistentModel {
    entity(forType: type)
  }

  /// The name that a type's entity has: the type's own, without its module and the types around it.
  public static func entityName<T>(for type: T.Type) -> String where T: PersistentModel {
    simpleName(of: type)
  }

  func entity(forType type: any PersistentModel.Type) -> Entity? {
    if let entity = entitiesByType[ObjectIdentifier(type)] { return entity }
    let named = entitiesByName[Self.simpleName(of: type)]
    return named?.modelType == nil ? named : nil
  }
}

extension Schema: CustomDebugStringConvertible {
  /// The version, and the entities with their properties.
  public var debugDescription: String {
    "Schema - version: \(version)\n" + entities.map(\.debugDescription).joined(separator: "\n")
  }
}
