/// Decodes a struct from the columns of its fields.
struct CompositeDecoder: Decoder {
  let reader: StatementRowReader
  let fields: [ColumnCoding.Field]
  let column: Int32

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Container(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw StatementRowReader.Mismatch()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw StatementRowReader.Mismatch()
  }

  private func field(_ key: any CodingKey) throws -> ColumnCoding.Field {
    // A type can retain its decoder after the row is gone.
    guard reader.isLent else { throw StatementRowReader.Mismatch() }
    guard let field = fields.first(where: { $0.name == key.stringValue }) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "no such field"))
    }
    return field
  }

  private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: CompositeDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.fields.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool {
      decoder.fields.contains { $0.name == key.stringValue }
    }

    func decodeNil(forKey key: Key) throws -> Bool {
      let field = try decoder.field(key)
      return decoder.reader.isNil(field.coding, decoder.column + Int32(field.offset))
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      let field = try decoder.field(key)
      return try decoder.reader.decode(type, field.coding, decoder.column + Int32(field.offset))
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      throw StatementRowReader.Mismatch()
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw StatementRowReader.Mismatch()
    }

    func superDecoder() throws -> any Decoder { throw StatementRowReader.Mismatch() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw StatementRowReader.Mismatch() }
  }
}
