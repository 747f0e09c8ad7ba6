/// Decides whether a struct can be stored field by field.
///
/// It can when it codes itself as the compiler would make it: a keyed container, a key for each stored property, the
/// property's type behind each key. Reflection tells the properties; trial runs of `init(from:)` and `encode(to:)` tell
/// the keys. A struct that does anything else keeps its own format, in one column.
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
    // A placeholder that an initialiser refuses ends the run early; what was asked for until then has to do.
    guard let value else { return true }
    return seen.count == fields.count && !writesMore(value, than: fields)
  }

  /// Whether `encode(to:)` writes keys that have no property. In one column they do no harm, but have no columns.
  private static func writesMore(_ value: some Encodable, than fields: [AttributeStorage.Field]) -> Bool {
    let recorder = CodingRecorder()
    guard (try? value.encode(to: RecordingEncoder(recorder: recorder))) != nil, !recorder.isIrregular else {
      return false
    }
    return !Set(fields.map(\.name)).isSuperset(of: recorder.requests.map(\.key))
  }
}
