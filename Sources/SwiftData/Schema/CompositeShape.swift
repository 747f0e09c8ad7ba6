/// Decides whether a struct can be stored field by field.
///
/// It can when its coding is like the compiler's: a keyed container, a key for each stored property, and the property's
/// type behind each key. Reflection gives the properties; trial runs of `init(from:)` and `encode(to:)` give the keys. Any
/// other struct keeps its own format, in one column.
enum CompositeShape {
  static func fields(of type: any Codable.Type) -> [AttributeStorage.Field]? {
    guard !(type is any Sequence.Type), let properties = StoredField.all(of: type), !properties.isEmpty else {
      return nil
    }
    let fields = properties.map { property in
      AttributeStorage.Field(
        name: property.name, valueType: property.type,
        storage: AttributeStorage(valueType: property.type, options: []))
    }
    guard fields.allSatisfy({ !$0.storage.isUnsupported }), decodes(type, as: fields) else { return nil }
    return fields
  }

  private static func decodes<Value: Codable>(_ type: Value.Type, as fields: [AttributeStorage.Field]) -> Bool {
    let recorder = CodingRecorder()
    let value = try? Value(from: PlaceholderDecoder(recorder: recorder, depth: 0, size: MemoryLayout<Value>.size))
    guard !recorder.isIrregular, !recorder.requests.isEmpty else { return false }
    let types = Dictionary(fields.map { ($0.name, $0.valueType) }) { first, _ in first }
    var seen: Set<String> = []
    for request in recorder.requests {
      guard let type = types[request.key], seen.insert(request.key).inserted,
        type == request.type
      else { return false }
    }
    // A placeholder value that an initializer refuses ends the run early; the requests until then decide.
    guard let value else { return true }
    return seen.count == fields.count && !writesMore(value, than: fields)
  }

  /// Whether `encode(to:)` writes keys without a property, for which there would be no columns.
  private static func writesMore(_ value: some Encodable, than fields: [AttributeStorage.Field]) -> Bool {
    let recorder = CodingRecorder()
    guard (try? value.encode(to: RecordingEncoder(recorder: recorder))) != nil, !recorder.isIrregular else {
      return false
    }
    return !Set(fields.map(\.name)).isSuperset(of: recorder.requests.map(\.key))
  }
}
