/// The requirements on a value in a snapshot.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// A copy of the values of one model at one moment.
///
/// Stores and contexts exchange models as snapshots. A context reads the values of a snapshot by encoding it. A
/// snapshot type of your own therefore has to encode one value for each property, under the keys of
/// ``DataStoreSnapshotCodingKey``. For an attribute this is its value, or a value that is encoded in the same way. For
/// a to-one relationship it is the identifier of the related model, and for a to-many an array of identifiers.
public protocol DataStoreSnapshot: Decodable, Encodable, Sendable {
  /// The identifier of the model; temporary when the model was never saved.
  var persistentIdentifier: PersistentIdentifier { get }

  /// Makes a snapshot of the values of a model.
  ///
  /// - Parameters:
  ///   - backingData: The values of the model.
  ///   - relatedBackingDatas: Receives the backing data of related models. The library ignores what is added.
  init(from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// Returns a copy with another identifier and the same values.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: The identifier of the copy.
  ///   - remappedIdentifiers: New identifiers of related models, by their old ones. The copy has to use the new ones in
  ///     its relationships.
  func copy(
    persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// The coding keys of a snapshot.
public enum DataStoreSnapshotCodingKey: CodingKey {
  /// The key of the identifier.
  case persistentIdentifier
  /// The key of the property with the given name.
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

  /// Always returns nil, because no key is a number.
  public init?(intValue: Int) {
    nil
  }
}
