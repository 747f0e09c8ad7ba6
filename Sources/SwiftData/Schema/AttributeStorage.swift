import Foundation
@_spi(Reflection) import Swift
import Synchronization

/// How the value of an attribute is kept, as far as its type and options tell.
indirect enum AttributeStorage {
  /// A type with a column of its own kind.
  case primitive
  /// The raw value of an enum, or of another type that has one, stands for it.
  case rawRepresentable
  /// A struct with a column or more for each stored property.
  case composite([Field])
  /// Encoded as one text.
  case json
  /// A `ValueTransformer` makes data of it.
  case transformable
  case unsupported

  /// A stored property of a composite.
  struct Field {
    var name: String
    var valueType: Any.Type
    var storage: AttributeStorage
  }

  var fields: [Field] {
    if case .composite(let fields) = self { fields } else { [] }
  }

  init(valueType: Any.Type, options: [Schema.Attribute.Option]) {
    if options.contains(where: \.isTransformable) {
      self = .transformable
      return
    }
    let storage = Self.storage(of: unwrappedType(valueType))
    if case .composite = storage, options.contains(.codable) {
      self = .json
    } else {
      self = storage
    }
  }

  private static let known = Mutex<[ObjectIdentifier: AttributeStorage]>([:])

  private static func storage(of type: Any.Type) -> AttributeStorage {
    if let storage = known.withLock({ $0[ObjectIdentifier(type)] }) { return storage }
    let storage = classify(type)
    known.withLock { $0[ObjectIdentifier(type)] = storage }
    return storage
  }

  private static func classify(_ type: Any.Type) -> AttributeStorage {
    if type is any _PrimitiveValue.Type { return .primitive }
    guard let codable = type as? any Codable.Type else { return .unsupported }
    if let raw = type as? any RawRepresentable.Type, hasPrimitiveRawValue(raw) { return .rawRepresentable }
    let fields = fields(of: codable)
    return fields.isEmpty ? .json : .composite(fields)
  }

  private static func hasPrimitiveRawValue<Raw: RawRepresentable>(_ type: Raw.Type) -> Bool {
    Raw.RawValue.self is any _PrimitiveValue.Type
  }

  private static func isStruct<Value>(_ type: Value.Type) -> Bool {
    var isStruct = false
    // Reflection tells the kind of a field, so the type is made one.
    _ = _forEachField(of: Holder<Value>.self, options: []) { _, _, _, kind in
      isStruct = kind == .struct
      return true
    }
    return isStruct
  }

  private struct Holder<Value> {
    var value: Value
  }

  /// The fields of a struct that may be kept column by column: its coding has to be one key a stored property.
  private static func fields<Value: Codable>(of type: Value.Type) -> [Field] {
    guard isStruct(type), !(type is any CollectionLike.Type) else { return [] }
    var fields: [Field] = []
    var isPlain = true
    _ = _forEachField(of: type, options: []) { name, _, fieldType, _ in
      let storage = Self.storage(of: unwrappedType(fieldType))
      if case .unsupported = storage { isPlain = false }
      fields.append(Field(name: String(cString: name), valueType: fieldType, storage: storage))
      return isPlain
    }
    guard isPlain, !fields.isEmpty else { return [] }
    let names = Set(fields.map(\.name))
    let recording = CodingRecording()
    let decoded = try? Value(from: PlaceholderDecoder(recording: recording))
    guard recording.isKeyed, !recording.isOther else { return [] }
    if decoded != nil {
      return recording.keys == names ? fields : []
    }
    // A field without a placeholder ends the decoding; what was asked for until then must fit.
    return recording.keys.isSubset(of: names) && !recording.keys.isEmpty ? fields : []
  }
}

/// Collections are encoded whole, however they are made.
private protocol CollectionLike {}
extension Array: CollectionLike {}
extension Set: CollectionLike {}
extension Dictionary: CollectionLike {}
