import Foundation

/// The identity of a model: the store that has it, its entity and its key there.
///
/// An identifier is small, sendable and stays valid for as long as the row exists; it is how a model is named across
/// contexts, tasks and processes. It is temporary until the model is first saved, and a temporary one is gone after the
/// save. Two containers over one file hand out equal identifiers for one row, which Apple's early systems did not.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
  /// An identifier's own identity.
  public struct ID: Hashable, Sendable {
    var store: InternedString
    var entity: InternedString
    var key: Int64
  }

  public let id: ID

  init(store: InternedString, entity: InternedString, key: Int64) {
    id = ID(store: store, entity: entity, key: key)
  }

  init(store: InternedString, entity: InternedString, text: String) {
    self.init(store: store, entity: entity, key: RowIdentity.key(forText: text))
  }

  /// The name of the model's entity.
  public var entityName: String {
    id.entity.string
  }

  /// The identifier of the store that has the model; nil while the model is not saved.
  public var storeIdentifier: String? {
    isTemporary ? nil : id.store.string
  }

  /// Whether the model was not saved yet when it gave this identifier.
  public var isTemporary: Bool {
    id.key < 0
  }

  /// Makes the identifier that a custom store hands out for one of its rows.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The identifier of the store.
  ///   - entityName: The name of the row's entity.
  ///   - primaryKey: The row's key, told apart from others by its description.
  public static func identifier<T>(
    for storeIdentifier: String, entityName: String, primaryKey: T
  ) throws -> PersistentIdentifier where T: Comparable & CustomStringConvertible & Codable & Hashable {
    let store = InternedString(storeIdentifier)
    let entity = InternedString(entityName)
    if let integer = primaryKey as? any BinaryInteger, let key = Int64(exactly: integer), RowIdentity.isNumber(key) {
      return PersistentIdentifier(store: store, entity: entity, key: key)
    }
    return PersistentIdentifier(store: store, entity: entity, text: primaryKey.description)
  }

  /// Orders identifiers by store, entity and key.
  public static func < (lhs: PersistentIdentifier, rhs: PersistentIdentifier) -> Bool {
    if lhs.id.store != rhs.id.store { return lhs.id.store.string < rhs.id.store.string }
    if lhs.id.entity != rhs.id.entity { return lhs.id.entity.string < rhs.id.entity.string }
    switch (RowIdentity.text(forKey: lhs.id.key), RowIdentity.text(forKey: rhs.id.key)) {
    case (let left?, let right?): return left < right
    default: return lhs.id.key < rhs.id.key
    }
  }
}

extension PersistentIdentifier {
  /// Tells temporary identifiers of this process from those of others.
  private static let processTag = UInt64.random(in: .min ... .max)

  var primaryKey: String {
    if id.key < 0 { return "t\(Self.temporaryUUID(-id.key).uuidString)" }
    return RowIdentity.text(forKey: id.key) ?? "p\(id.key)"
  }

  private static func temporaryUUID(_ number: Int64) -> UUID {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { buffer in
      buffer.storeBytes(of: processTag.bigEndian, as: UInt64.self)
      buffer.storeBytes(of: number.bigEndian, toByteOffset: 8, as: Int64.self)
    }
    return UUID(uuid: bytes)
  }

  private static func temporaryKey(_ text: String) -> Int64? {
    guard let uuid = UUID(uuidString: text) else { return nil }
    return withUnsafeBytes(of: uuid.uuid) { buffer in
      guard UInt64(bigEndian: buffer.load(as: UInt64.self)) == processTag else { return nil }
      let number = Int64(bigEndian: buffer.load(fromByteOffset: 8, as: Int64.self))
      return number > 0 ? -number : nil
    }
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
    let entity = InternedString(try container.decode(String.self, forKey: .entityName))
    let store = InternedString(try container.decodeIfPresent(String.self, forKey: .storeIdentifier) ?? "")
    let primaryKey = try container.decode(String.self, forKey: .primaryKey)
    if primaryKey.hasPrefix("t"), let key = Self.temporaryKey(String(primaryKey.dropFirst())) {
      self.init(store: InternedString(""), entity: entity, key: key)
    } else {
      self.init(store: store, entity: entity, text: primaryKey)
    }
  }

  public func encode(to encoder: any Encoder) throws {
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

/// Rows are known by integers. A store whose keys are of another kind has its keys numbered, above all integers that
/// keys of rows are.
enum RowIdentity {
  private static let firstText: Int64 = 1 << 62

  static func isNumber(_ key: Int64) -> Bool {
    key > 0 && key < firstText
  }

  /// The key for a text, which is that of a row when the text is how such a key is written.
  static func key(forText text: String) -> Int64 {
    if text.hasPrefix("p"), let key = Int64(text.dropFirst()), isNumber(key), text == "p\(key)" { return key }
    return firstText + Int64(InternedString(text).number)
  }

  /// The text that a key stands for; nil when it stands for itself.
  static func text(forKey key: Int64) -> String? {
    key < firstText ? nil : UInt32(exactly: key - firstText).flatMap { InternedString(known: $0)?.string }
  }
}
