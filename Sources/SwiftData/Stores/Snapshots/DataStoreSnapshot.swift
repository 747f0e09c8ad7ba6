/// What a snapshot has for a property.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// The values of one model at one moment, apart from the model: what stores are handed and hand out.
///
/// A type of your own has to encode one value for each property, under the keys of ``DataStoreSnapshotCodingKey``: the
/// property's own, or anything that encodes alike; for a relationship the identifier of its target, or an array of them.
/// A context reads a snapshot by encoding it.
public protocol DataStoreSnapshot: Decodable, Encodable, Sendable {
  var persistentIdentifier: PersistentIdentifier { get }

  /// Takes the values of a model.
  ///
  /// - Parameter relatedBackingDatas: Models that the snapshot wants to be seen along with this one. No use is made of
  ///   what is put there.
  init(from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// The same values under another identifier.
  ///
  /// - Parameter remappedIdentifiers: What becomes of identifiers that relationships lead to.
  func copy(
    persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// The names under which a snapshot encodes its values.
public enum DataStoreSnapshotCodingKey: CodingKey {
  case persistentIdentifier
  /// A property of the model, by its name.
  case modeledProperty(String)

  public var stringValue: String {
    switch self {
    case .persistentIdentifier: "persistentIdentifier"
    case .modeledProperty(let name): name
    }
  }

  public init?(stringValue: String) {
    self = stringValue == "persistentIdentifier" ? .persistentIdentifier : .modeledProperty(stringValue)
  }

  /// Always nil.
  public var intValue: Int? { nil }

  /// There are no keys that are numbers.
  public init?(intValue: Int) {
    nil
  }
}
