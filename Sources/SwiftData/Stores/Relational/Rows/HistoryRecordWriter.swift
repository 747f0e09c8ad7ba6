/// Encodes the changes of one transaction, group by group; ``HistoryRecord`` decodes them.
struct HistoryRecordWriter {
  private var writer = PackedWriter(bytes: [])
  private var groupCount = 0

  /// The position after the version and the origin.
  private static let countPosition = 1 + MemoryLayout<UInt64>.size
  /// The size of most records in bytes.
  private static let commonSize = 128

  /// The encoded groups.
  var bytes: [UInt8] { writer.bytes }

  init(origin: UInt64) {
    writer.bytes.reserveCapacity(Self.commonSize)
    writer.bytes.append(HistoryRecord.version)
    withUnsafeBytes(of: origin.littleEndian) { writer.bytes.append(contentsOf: $0) }
    writer.write(0)
  }

  /// Whether nothing was changed.
  var isEmpty: Bool { groupCount == 0 }

  private mutating func begin(_ kind: HistoryRecord.Kind, _ layout: EntityLayout) {
    groupCount += 1
    recordCount()
    writer.bytes.append(kind.rawValue)
    writer.bytes += layout.recordedName
  }

  /// Replaces the number of groups.
  private mutating func recordCount() {
    if groupCount < 0x80 {
      writer.bytes[Self.countPosition] = UInt8(groupCount)
      return
    }
    let (last, count) = (PackedWriter.bytes(of: groupCount - 1), PackedWriter.bytes(of: groupCount))
    writer.bytes.replaceSubrange(Self.countPosition..<Self.countPosition + last.count, with: count)
  }

  // MARK: Groups

  // The keys of each group are in ascending order, without duplicates.

  mutating func add(insertionsInto layout: EntityLayout, _ keys: [Int64]) {
    begin(.insert, layout)
    writer.write(runs: keys)
  }

  mutating func add(updatesOf layout: EntityLayout, _ properties: ChangedProperties, _ keys: [Int64]) {
    begin(.update, layout)
    let names = layout.recordedNames
    writer.write(names.count { properties.contains($0.index) })
    for name in names where properties.contains(name.index) { writer.bytes += name.bytes }
    writer.write(runs: keys)
  }

  /// - Parameter tombstones: The preserved values of the rows, by position in the keys.
  mutating func add(deletionsFrom layout: EntityLayout, _ keys: [Int64], _ tombstones: [Int: [UInt8]]) {
    begin(.delete, layout)
    writer.write(runs: keys)
    writer.write(tombstones.count)
    for (position, tombstone) in tombstones.sorted(by: { $0.key < $1.key }) {
      writer.write(position)
      writer.write(tombstone.count)
      writer.bytes += tombstone
    }
  }
}
