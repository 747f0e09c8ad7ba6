import Foundation

/// A snapshot of a model of any type.
///
/// Any encoder can write it and any decoder can read it. Each attribute is encoded as its type encodes it, and each
/// relationship as identifiers. A snapshot can be decoded only when the process has made a ``Schema`` with the type of
/// the model.
public struct DefaultSnapshot: DataStoreSnapshot {
  /// The identifier of the model; temporary when the model was never saved.
  public let persistentIdentifier: PersistentIdentifier
  private(set) var values: [String: SnapshotValue]
  /// The error of a value that could not be encoded. The save of the snapshot throws it.
  private(set) var failure: SwiftDataError?
  /// The errors of properties whose values in the store's own snapshot cannot be read.
  private(set) var unreadable: [String: any Error] = [:]

  private init(_ persistentIdentifier: PersistentIdentifier, _ values: [String: SnapshotValue]) {
    self.persistentIdentifier = persistentIdentifier
    self.values = values
  }

  public init(from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]) {
    self.init(backingData)
  }

  init<Data: BackingData>(_ backingData: Data) {
    let shape = SnapshotShape.of(Data.Model.self)
    persistentIdentifier =
      backingData.persistentModelID
      ?? PersistentIdentifier(store: .empty, entity: shape.runtime.entityName, key: TemporaryKey.next())
    values = [:]
    for property in shape.properties {
      let value = property.property.value(in: backingData)
      switch property.kind {
      case .attribute(let attribute):
        do {
          guard let value else { throw SnapshotValue.Mismatch() }
          values[property.name] = try SnapshotValue(value, of: attribute)
        } catch {
          failure = failure ?? Self.failure(shape, property, error)
        }
      case .toOne:
        values[property.name] = .target((value as? any PersistentModel).flatMap(Self.identifier))
      case .toMany:
        values[property.name] = .members((value as? [any PersistentModel] ?? []).compactMap(Self.identifier))
      case .ephemeral:
        break
      }
    }
  }

  /// The identifier of a target, unless it is deleted or hollow.
  private static func identifier(of target: any PersistentModel) -> PersistentIdentifier? {
    target._$withState { $0.status == .deleted || $0.isUnreadable } ? nil : target.anyIdentifier
  }

  private static func failure(
    _ shape: SnapshotShape, _ property: SnapshotShape.Property, _ error: any Error
  ) -> SwiftDataError {
    let entity = shape.runtime.entityName.string
    return SwiftDataError.modelValidationFailure.with(
      entity: entity, property: property.name,
      message: "The value of \(entity).\(property.name) cannot be encoded.",
      underlying: error is SnapshotValue.Mismatch ? nil : error)
  }

  /// Reads a snapshot.
  ///
  /// - Throws: `DecodingError` when a value does not have the type of its property, or when no schema that the process
  ///   has made contains the entity of the model.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    let identifier = try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier)
    var failure: any Error = DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "No schema of this process has an entity named \(identifier.entityName)."))
    for type in SnapshotShape.candidates(for: identifier) {
      do {
        self.init(identifier, try Self.values(of: SnapshotShape.of(type), in: container))
        return
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Converts a snapshot of any type by its encoding.
  init(reading snapshot: some DataStoreSnapshot, _ shape: SnapshotShape) throws {
    if let snapshot = snapshot as? DefaultSnapshot {
      // A snapshot of another model would lack some properties, and a save would write them as nil.
      guard snapshot.values.keys.allSatisfy(shape.names.contains) else { throw SnapshotValue.Mismatch() }
      self = snapshot
      return
    }
    let decoder = StoredJSON.makeDecoder()
    decoder.userInfo[Reading.shape] = shape
    let reading = try decoder.decode(Reading.self, from: StoredJSON.makeEncoder().encode(snapshot))
    self.init(snapshot.persistentIdentifier, reading.values)
    unreadable = reading.unreadable
  }

  /// An empty snapshot in place of one that cannot be read.
  init(unreadable identifier: PersistentIdentifier, _ shape: SnapshotShape, _ error: any Error) {
    self.init(identifier, [:])
    for name in shape.names { unreadable[name] = error }
  }

  private struct Reading: Decodable {
    // Never nil: the initializer is failable only because of its protocol.
    static let shape = CodingUserInfoKey(rawValue: "shape").unsafelyUnwrapped
    private(set) var values: [String: SnapshotValue] = [:]
    private(set) var unreadable: [String: any Error] = [:]

    init(from decoder: any Decoder) throws {
      guard let shape = decoder.userInfo[Self.shape] as? SnapshotShape else { throw SnapshotValue.Mismatch() }
      let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
      for property in shape.properties {
        do {
          values[property.name] = try DefaultSnapshot.value(of: property, in: container)
        } catch {
          unreadable[property.name] = error
        }
      }
    }
  }

  private static func values(
    of shape: SnapshotShape, in container: KeyedDecodingContainer<DataStoreSnapshotCodingKey>
  ) throws -> [String: SnapshotValue] {
    var values: [String: SnapshotValue] = [:]
    for property in shape.properties { values[property.name] = try value(of: property, in: container) }
    return values
  }

  /// Nil for a missing or ephemeral value.
  private static func value(
    of property: SnapshotShape.Property, in container: KeyedDecodingContainer<DataStoreSnapshotCodingKey>
  ) throws -> SnapshotValue? {
    let key = DataStoreSnapshotCodingKey.modeledProperty(property.name)
    guard container.contains(key) else { return nil }
    switch property.kind {
    case .attribute(let attribute):
      let type = attribute.transformer == nil ? attribute.valueType as? any Codable.Type : Data?.self
      guard let type else { return nil }
      return .value(try container.decode(type, forKey: key))
    case .toOne:
      return .target(try container.decode(PersistentIdentifier?.self, forKey: key))
    case .toMany:
      return .members(try container.decode([PersistentIdentifier].self, forKey: key))
    case .ephemeral:
      return nil
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
    for (name, value) in values {
      switch value {
      case .value(let value): try container.encode(value, forKey: .modeledProperty(name))
      case .target(let identifier): try container.encode(identifier, forKey: .modeledProperty(name))
      case .members(let identifiers): try container.encode(identifiers, forKey: .modeledProperty(name))
      }
    }
  }

  public func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = [:]
  ) -> DefaultSnapshot {
    let remapped = remappedIdentifiers ?? [:]
    var copy = DefaultSnapshot(
      persistentIdentifier,
      values.mapValues { value in
        switch value {
        case .value: value
        case .target(let identifier): .target(identifier.map { remapped[$0] ?? $0 })
        case .members(let identifiers): .members(identifiers.map { remapped[$0] ?? $0 })
        }
      })
    copy.failure = failure
    return copy
  }
}
