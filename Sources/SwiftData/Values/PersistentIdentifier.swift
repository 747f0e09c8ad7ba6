import Foundation

/// Identifies a model by its store, its entity and its key in that store.
///
/// Use identifiers to refer to a model from other contexts, tasks and processes. An identifier is small and `Sendable`, and
/// stays valid as long as the row exists. Two containers over one file give equal identifiers for the same row.
///
/// The identifier of a model is temporary until the model is saved for the first time. After that save the model has a
/// permanent identifier, and the temporary one no longer finds the model. If an attribute has the temporary identifier of a
/// model, and both are saved together, the save replaces it by the permanent one; otherwise the save throws. Custom stores,
/// and ``ModelContext/update(_:where:_:)``, write temporary identifiers unchanged.
///
/// A decoded identifier may contain anything. It finds a model only if the store has a row with its key, and the row
/// belongs to its entity or to a subentity.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
  /// The identity of an identifier, for `Identifiable`.
  public struct ID: Hashable, Sendable {
    let store: InternedString
    let entity: InternedString
    /// The key of a row if positive, a temporary key of this process if negative.
    let key: Int64
    /// The identifier as strings, if it cannot be represented by numbers: the properties above are unused then.
    let parts: IdentifierParts?

    public static func == (lhs: ID, rhs: ID) -> Bool {
      if lhs.parts == nil, rhs.parts == nil {
        return lhs.key == rhs.key && lhs.entity == rhs.entity && lhs.store == rhs.store
      }
      return lhs.storeName == rhs.storeName && lhs.entityName == rhs.entityName && lhs.primaryKey == rhs.primaryKey
    }

    /// Feeds the entity and the key to the hasher.
    ///
    /// Equal identifiers give equal hashes, decoded ones included.
    public func hash(into hasher: inout Hasher) {
      if let parts {
        hasher.combine(parts.entity.hashValue)
        if let key = parts.key { hasher.combine(key) } else { hasher.combine(parts.primaryKey) }
      } else {
        hasher.combine(entity.stringHash)
        hasher.combine(key)
      }
    }

    fileprivate var storeName: String { parts?.store ?? store.string }
    fileprivate var entityName: String { parts?.entity ?? entity.string }

    fileprivate var primaryKey: String {
      if let parts { return parts.primaryKey }
      return key < 0 ? TemporaryKey.text(for: key) : RowIdentity.text(for: key)
    }
  }

  public let id: ID

  init(store: InternedString, entity: InternedString, key: Int64) {
    id = ID(store: store, entity: entity, key: key, parts: nil)
  }

  /// An identifier from strings. Names that are not interned, and keys that are not numbers, are kept as strings.
  init(storeName: String, entityName: String, primaryKey: String) {
    if let key = RowIdentity.key(forText: primaryKey), let store = InternedString(known: storeName),
      let entity = InternedString(known: entityName)
    {
      self.init(store: store, entity: entity, key: key)
    } else {
      self.init(IdentifierParts(store: storeName, entity: entityName, primaryKey: primaryKey))
    }
  }

  private init(_ parts: IdentifierParts) {
    id = ID(store: .empty, entity: .empty, key: 0, parts: parts)
  }

  /// The identifier in numbers, if it was made as strings before its names were interned.
  var inNumbers: PersistentIdentifier {
    guard let parts = id.parts, parts.key != nil else { return self }
    return PersistentIdentifier(storeName: parts.store, entityName: parts.entity, primaryKey: parts.primaryKey)
  }

  /// The name of the model's entity.
  public var entityName: String {
    id.entityName
  }

  /// The identifier of the store that has the model; nil for a temporary identifier.
  public var storeIdentifier: String? {
    isTemporary ? nil : id.storeName
  }

  /// Whether the model had not been saved yet when the identifier was made.
  ///
  /// The value does not change when the model is saved: the model then has another identifier.
  public var isTemporary: Bool {
    id.parts.map(\.store.isEmpty) ?? (id.key < 0)
  }

  /// Makes the identifier of a row of a custom store.
  ///
  /// The method never throws, although its declaration allows it.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The identifier of the store.
  ///   - entityName: The name of the row's entity.
  ///   - primaryKey: The key of the row. Two keys with the same `description` are the same key.
  /// - Throws: Nothing.
  public static func identifier<T>(
    for storeIdentifier: String, entityName: String, primaryKey: T
  ) throws -> PersistentIdentifier where T: Comparable & CustomStringConvertible & Codable & Hashable {
    var text = primaryKey.description
    if let integer = primaryKey as? any BinaryInteger, let key = Int64(exactly: integer), RowIdentity.isValid(key) {
      text = RowIdentity.text(for: key)
    }
    return PersistentIdentifier(storeName: storeIdentifier, entityName: entityName, primaryKey: text)
  }

  /// Orders identifiers by store, entity and key.
  public static func < (lhs: PersistentIdentifier, rhs: PersistentIdentifier) -> Bool {
    let (left, right) = (lhs.id, rhs.id)
    let (leftKey, rightKey) = (left.parts.map(\.key) ?? left.key, right.parts.map(\.key) ?? right.key)
    if left.parts != nil || right.parts != nil || left.store != right.store {
      if left.storeName != right.storeName { return left.storeName < right.storeName }
    }
    if left.parts != nil || right.parts != nil || left.entity != right.entity {
      if left.entityName != right.entityName { return left.entityName < right.entityName }
    }
    switch (leftKey, rightKey) {
    case (let left?, let right?): return left < right
    case (nil, nil): return left.primaryKey < right.primaryKey
    // Numeric keys come before other keys.
    case (let left, _): return left != nil
    }
  }
}

extension PersistentIdentifier {
  var primaryKey: String {
    id.primaryKey
  }

  private enum CodingKeys: String, CodingKey {
    case implementation
  }

  private enum ImplementationKeys: String, CodingKey {
    case primaryKey, uriRepresentation, isTemporary, storeIdentifier, entityName
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
      .nestedContainer(keyedBy: ImplementationKeys.self, forKey: .implementation)
    let entity = try container.decode(String.self, forKey: .entityName)
    let store = try container.decodeIfPresent(String.self, forKey: .storeIdentifier) ?? ""
    let primaryKey = try container.decode(String.self, forKey: .primaryKey)
    if let key = TemporaryKey.key(forText: primaryKey), let entity = InternedString(known: entity) {
      self.init(store: .empty, entity: entity, key: key)
    } else {
      self.init(storeName: store, entityName: entity, primaryKey: primaryKey)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    // A temporary identifier of another process has no model, and is encoded unchanged.
    if id.parts == nil, id.key < 0, let saved = encoder.userInfo[SavedIdentifiers.key] as? SavedIdentifiers {
      return try saved.identifier(for: self).encode(to: encoder)
    }
    var outer = encoder.container(keyedBy: CodingKeys.self)
    var container = outer.nestedContainer(keyedBy: ImplementationKeys.self, forKey: .implementation)
    try container.encode(primaryKey, forKey: .primaryKey)
    try container.encode(uriRepresentation, forKey: .uriRepresentation)
    try container.encode(isTemporary, forKey: .isTemporary)
    try container.encodeIfPresent(storeIdentifier, forKey: .storeIdentifier)
    try container.encode(entityName, forKey: .entityName)
  }

  private var uriRepresentation: String {
    "x-coredata://\(storeIdentifier ?? "")/\(entityName)/\(primaryKey)"
  }
}

extension PersistentIdentifier: CustomDebugStringConvertible {
  public var debugDescription: String {
    "PersistentIdentifier(\(entityName)/\(primaryKey))"
  }
}

/// The permanent identifiers of models that a save inserts: they replace temporary ones in attributes.
///
/// Only the thread of the save uses it. It is `Sendable` because an encoder's user info requires it.
final class SavedIdentifiers: @unchecked Sendable {
  /// The key in an encoder's user info.
  static let key = CodingUserInfoKey(rawValue: "savedIdentifiers").unsafelyUnwrapped

  /// Thrown for the temporary identifier of a model that is not saved with the attribute.
  struct Unknown: Error {}

  /// Whether an identifier was replaced.
  var wereUsed = false
  private let find: (PersistentIdentifier) -> PersistentIdentifier?

  /// - Parameter find: Returns the permanent identifier for a temporary one; nil for a model that the save does not insert.
  init(_ find: @escaping (PersistentIdentifier) -> PersistentIdentifier?) {
    self.find = find
  }

  fileprivate func identifier(for temporary: PersistentIdentifier) throws -> PersistentIdentifier {
    let known = temporary.current
    guard let found = known.id.key > 0 ? known : find(temporary) else { throw Unknown() }
    wereUsed = true
    return found
  }
}

/// An identifier that is not only numbers. Only the identifier retains it.
final class IdentifierParts: Sendable {
  let store: String
  let entity: String
  let primaryKey: String
  /// The number in `primaryKey`, if it is one.
  let key: Int64?

  init(store: String, entity: String, primaryKey: String) {
    self.store = store
    self.entity = entity
    self.primaryKey = primaryKey
    key = RowIdentity.key(forText: primaryKey)
  }
}
