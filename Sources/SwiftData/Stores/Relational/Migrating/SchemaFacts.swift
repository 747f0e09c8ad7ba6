import Relational

/// The facts about relationships and structures that are in the schemas of a store, before and after, and not in tables.
struct SchemaFacts: Hashable {
  struct Relationship: Hashable {
    var name: String
    /// The entity that declares it.
    var owner: String
    var destination: String
    var isToOne: Bool
    /// The inverse, as "entity.relationship" with the declaring entity.
    var inverse: String?
  }

  /// A field of an optional structure.
  struct Field: Hashable {
    /// The columns of the structure, which is nil where all of them are null.
    var structure: [String]
    /// Whether the structure must have a value in the field.
    var isRequired: Bool
  }

  /// The relationships of the store, as "entity.relationship", for each entity that declares or inherits them. Empty
  /// where an early release did not record them.
  var previous: [String: Relationship] = [:]
  /// The relationships of the schema, in the same form.
  var present: [String: Relationship] = [:]
  /// The relationships of the schema, by the columns of join tables with their targets.
  var links: [ColumnSource: String] = [:]
  /// Each entity of the schema with its subentities.
  var families: [String: Set<String>] = [:]
  /// The fields of the schema's optional structures, by their columns.
  var fields: [ColumnSource: Field] = [:]
}

extension SchemaFacts {
  /// - Parameters:
  ///   - previous: The entities of the store; empty where an early release did not record them.
  ///   - layout: The layout of the schema.
  init(from previous: [Schema.Entity], to layout: StoreLayout) {
    self.init()
    self.previous = Self.relationships(of: previous)
    present = Self.relationships(of: layout.all.map(\.entity))
    for entity in layout.all {
      families[entity.entity.name] = Set(entity.family.map(\.entity.name))
      for property in entity.properties {
        switch property.storage {
        case .joinedMembers(let join):
          guard let known = present["\(entity.entity.name).\(property.name)"] else { break }
          links[ColumnSource(table: join.table, column: join.member)] = "\(known.owner).\(known.name)"
        case .attribute(let coding, let columns, _):
          addFields(of: coding, isOptional: property.isOptional, at: 0, in: nil, columns, entity.table)
        case .ephemeral, .reference, .inverseReference, .referencedMembers: break
        }
      }
    }
  }

  private static func relationships(of entities: [Schema.Entity]) -> [String: Relationship] {
    let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    var relationships: [String: Relationship] = [:]
    for entity in entities {
      for relationship in entity.relationships {
        let inverse = relationship.inverseName.flatMap { name in
          byName[relationship.destination]?.declarer(of: name).map { "\($0.name).\(name)" }
        }
        relationships["\(entity.name).\(relationship.name)"] = Relationship(
          name: relationship.name, owner: entity.declarer(of: relationship.name)?.name ?? entity.name,
          destination: relationship.destination, isToOne: relationship.isToOneRelationship, inverse: inverse)
      }
    }
    return relationships
  }

  /// - Parameters:
  ///   - first: The position of the value's first column.
  ///   - structure: The columns of the nearest optional structure around the value.
  private mutating func addFields(
    of coding: ColumnCoding, isOptional: Bool, at first: Int, in structure: [String]?, _ columns: [String],
    _ table: String
  ) {
    guard case .composite(_, let parts) = coding else {
      if let structure {
        fields[ColumnSource(table: table, column: columns[first])] = Field(
          structure: structure, isRequired: !isOptional)
      }
      return
    }
    let structure = isOptional ? Array(columns[first..<first + coding.columnCount]) : structure
    for part in parts {
      addFields(of: part.coding, isOptional: part.isOptional, at: first + part.offset, in: structure, columns, table)
    }
  }
}

extension [String: SchemaFacts.Relationship] {
  /// Whether no two models may refer to the same target of a relationship; false for an unknown one.
  func isOneToOne(_ relationship: String) -> Bool {
    guard let known = self[relationship], known.isToOne, let inverse = known.inverse else { return false }
    return self[inverse]?.isToOne == true
  }
}

extension Schema.Entity {
  /// The entity that declares a relationship.
  fileprivate func declarer(of relationship: String) -> Schema.Entity? {
    ([self] + superentities).last { $0.relationship(named: relationship) != nil }
  }
}

extension TableDefinition {
  /// The relationship whose targets a column of the table has, as "entity.relationship".
  func relationship(of column: Column) -> String? {
    guard let property = column.property, property.part == Column.Property.target else { return nil }
    let kinds = column.owner.map { [$0] } ?? kinds ?? []
    return kinds.lazy.map { "\($0).\(property.name)" }.first { relationships?[$0] != nil }
  }
}
