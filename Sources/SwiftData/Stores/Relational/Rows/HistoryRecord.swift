/// The changes of one transaction, decoded from the bytes of a ``HistoryRecordWriter``.
///
/// Entities and properties have their names of that time, so a record stays valid when the schema changes. Keys are in
/// ascending order, and encoded as runs of consecutive ones: those of many new rows take a few bytes.
struct HistoryRecord: Equatable {
  enum Kind: UInt8 {
    case insert, update, delete
    /// The insertion of a row that was deleted before, under the same key. Earlier versions of the library wrote it.
    case revival
  }

  /// Rows of one entity that were changed in the same way.
  struct Group: Equatable {
    var kind: Kind
    var entity: String
    /// The properties that were changed, of an update.
    var properties: [String] = []
    /// Empty if the record was read without keys.
    var keys: [Int64] = []
    /// The preserved values of deleted rows, by position in `keys`.
    var tombstones: [Int: [UInt8]] = [:]
    /// The number of rows.
    var count = 0
  }

  /// Identifies the store of one container among those of all processes.
  var origin: UInt64
  var groups: [Group] = []

  // MARK: Bytes

  // The first bytes are the version and the origin.
  static let version: UInt8 = 1

  /// Whether a record has an origin, without reading more of it.
  static func isFrom(_ origin: UInt64, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count > MemoryLayout<UInt64>.size, bytes[0] == version else { return false }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) == origin
  }

  /// - Parameter lastKey: The last key that rows of an entity can have; nil for an entity whose keys do not matter.
  /// - Throws: ``PackedReader/Damage`` for bytes that no release writes.
  init(reading bytes: UnsafeRawBufferPointer, lastKey: (String) throws -> Int64?) throws {
    var reader = PackedReader(bytes: bytes)
    guard try reader.byte() == Self.version else { throw PackedReader.Damage() }
    origin = try reader.bytes(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    for _ in 0..<(try reader.count()) {
      guard let kind = Kind(rawValue: try reader.byte()) else { throw PackedReader.Damage() }
      var group = Group(kind: kind, entity: try reader.text())
      if kind == .update { for _ in 0..<(try reader.count()) { group.properties.append(try reader.text()) } }
      (group.keys, group.count) = try reader.runs(upTo: lastKey(group.entity))
      if kind == .delete {
        for _ in 0..<(try reader.count()) {
          guard let index = Int(exactly: try reader.number()), index >= 0, index < group.count else {
            throw PackedReader.Damage()
          }
          group.tombstones[index] = try reader.bytes(reader.count())
        }
      }
      groups.append(group)
    }
    guard reader.isAtEnd else { throw PackedReader.Damage() }
  }
}
