public import Foundation

/// The models that a container knows, with an entity for each model type.
///
/// Neither a schema nor its entities are changed once the schema is built, so a schema can be shared between threads.
/// The conformance to `Sendable` is unchecked because the schema holds model types.
public final class Schema: Codable, Hashable, @unchecked Sendable {
  /// The version of the format in which this release encodes a schema.
  public static let schemaEncodingVersion = Version(1, 0, 0)

  /// The version of the format in which this schema was encoded; the current one when it was not read from a file.
  public let encodingVersion: Version
  /// The version number that was given to the schema.
  public let version: Version
  /// The entities of the given types, followed by those of the types that these relate to or inherit from.
  public let entities: [Entity]
  /// The entities, by name.
  public let entitiesByName: [String: Entity]

  private let entitiesByType: [ObjectIdentifier: Entity]
  /// The errors that the builder found. A container refuses a schema that has any.
  let issues: [SwiftDataError.Issue]
  /// Messages about properties that are valid but probably a mistake. Opening a container logs each, once a process.
  let notices: [String]

  private init(
    entities: [Entity], version: Version, encodingVersion: Version = Schema.schemaEncodingVersion,
    issues: [SwiftDataError.Issue] = [], notices: [String] = []
  ) {
    self.entities = entities
    self.version = version
    self.encodingVersion = encodingVersion
    self.issues = issues
    self.notices = notices
    entitiesByName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    entitiesByType = Dictionary(
      entities.compactMap { entity in entity.modelType.map { (ObjectIdentifier($0), entity) } }
    ) { first, _ in first }
  }

  /// Makes a schema without entities.
  public convenience init() {
    self.init(entities: [], version: Version(1, 0, 0))
  }

  /// Makes a schema from entities that were put together by hand.
  ///
  /// Their subentities are included automatically.
  ///
  /// - Parameters:
  ///   - entities: The topmost entities.
  ///   - version: The version number.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    var seen: Set<ObjectIdentifier> = []
    let all = (entities + entities.flatMap(Self.withSubentities)).filter { seen.insert(ObjectIdentifier($0)).inserted }
    self.init(entities: all, version: version)
  }

  /// Makes the schema of some model types and of the types that these relate to or inherit from.
  ///
  /// - Parameters:
  ///   - types: The model types.
  ///   - version: The version number.
  public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
    self.init(types, version: version)
  }

  /// Makes the schema of some model types and of the types that these relate to or inherit from.
  ///
  /// The initializer does not throw. When the schema is invalid, making a container with it throws.
  ///
  /// - Parameters:
  ///   - types: The model types.
  ///   - version: The version number.
  public convenience init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
    var builder = SchemaBuilder()
    builder.build(types)
    self.init(entities: builder.entities, version: version, issues: builder.issues, notices: builder.notices)
  }

  private enum CodingKeys: String, CodingKey {
    case encodingVersion, version, entities, names
  }

  /// Reads a schema that ``encode(to:)`` wrote.
  ///
  /// Its entities have no model types.
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

  /// The schema of some of the entities, which no others relate to or inherit from.
  ///
  /// - Parameter positions: The positions of the entities in `entities`.
  func part(_ positions: [Int]) -> Schema {
    positions.count == entities.count ? self : Schema(entities: positions.map { entities[$0] }, version: version)
  }

  private static func withSubentities(_ entity: Entity) -> [Entity] {
    [entity] + entity.subentities.flatMap(withSubentities)
  }

  /// Writes the schema.
  ///
  /// Types are written as their names.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(encodingVersion, forKey: .encodingVersion)
    try container.encode(version, forKey: .version)
    // An entity encodes its subentities, so the root entities include all; the names keep the order.
    try container.encode(entities.filter { $0.superentity == nil }, forKey: .entities)
    try container.encode(entities.map(\.name), forKey: .names)
  }

  /// Whether both have equal entities and the same version.
  public static func == (lhs: Schema, rhs: Schema) -> Bool {
    lhs === rhs || lhs.version == rhs.version && lhs.entitiesByName == rhs.entitiesByName
  }

  /// Feeds the version and the entities' names to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(version)
    hasher.combine(Set(entities.map(\.name)))
  }

  /// Writes the schema to a file, as JSON.
  ///
  /// - Throws: An error of encoding, for example for a default value that has no JSON, or of the file system.
  public func save(to toURL: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: toURL, options: .atomic)
  }

  /// Reads a schema that ``save(to:)`` wrote.
  ///
  /// Its entities have no model types.
  ///
  /// - Throws: An error of the file system, or `DecodingError` when the file has no schema.
  public static func load(from fromURL: URL) throws -> Schema {
    try JSONDecoder().decode(Schema.self, from: Data(contentsOf: fromURL))
  }

  /// The entity of a model type; `nil` when the schema has none.
  ///
  /// The entity is found by the type, not by its name: a schema with `SchemaV1.Trip` has no entity for `SchemaV2.Trip`.
  /// Only an entity without a model type, as in a schema that was read from a file, is found by its name.
  public func entity<T>(for type: T.Type) -> Entity? where T: PersistentModel {
    entity(forType: type)
  }

  /// The name of the entity of a model type: the name of the type, without its module and enclosing types.
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
