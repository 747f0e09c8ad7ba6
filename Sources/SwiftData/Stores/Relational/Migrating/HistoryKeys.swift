import Foundation
import Relational

/// Updates the keys in the history after models moved to another table.
struct HistoryKeys {
  /// The offset that is added to the keys of models, by entity.
  let keyOffsets: [String: Int64]

  func run(_ connection: any Connection, _ dialect: any Dialect) throws {
    guard !keyOffsets.isEmpty, try HistoryTable.inspect(connection, dialect) == .table else { return }
    let changed = Update(HistoryTable.name, set: [.init(HistoryTable.changes, .parameter)], where: .isRow)
    let sql = dialect.render(changed).sql
    var updates: [[Value]] = []
    let pages = RowPages(table: HistoryTable.name, columns: [HistoryTable.changes])
    try pages.forEach(connection, dialect, LayoutProgress()) { number, row in
      if let bytes = shifted(row) { updates.append([.blob(Data(bytes)), .integer(number)]) }
    } write: {
      for update in updates { try connection.run(sql, update) }
      updates.removeAll(keepingCapacity: true)
    }
  }

  /// The record of a row with shifted keys; nil where it has none of these models. A damaged record stays as it is.
  private func shifted(_ row: Statement) -> [UInt8]? {
    let record = try? row.withBlob(1) { bytes in
      try HistoryRecord(reading: bytes, lastKey: { _ in RowIdentity.lastNumber })
    }
    guard var record, record.groups.contains(where: { keyOffsets[$0.entity] != nil }) else { return nil }
    for index in record.groups.indices {
      guard let shift = keyOffsets[record.groups[index].entity] else { continue }
      if let last = record.groups[index].keys.last, last > RowIdentity.lastNumber - shift { return nil }
      record.groups[index].keys = record.groups[index].keys.map { $0 + shift }
    }
    return record.bytes
  }
}

extension HistoryRecord {
  /// The encoded form, which `init(reading:)` reads as this record.
  var bytes: [UInt8] {
    var writer = PackedWriter(bytes: [Self.version])
    withUnsafeBytes(of: origin.littleEndian) { writer.bytes.append(contentsOf: $0) }
    writer.write(groups.count)
    for group in groups {
      writer.bytes.append(group.kind.rawValue)
      writer.write(text: group.entity)
      if group.kind == .update {
        writer.write(group.properties.count)
        for property in group.properties { writer.write(text: property) }
      }
      writer.write(runs: group.keys)
      if group.kind == .delete {
        writer.write(group.tombstones.count)
        for (position, tombstone) in group.tombstones.sorted(by: { $0.key < $1.key }) {
          writer.write(position)
          writer.write(tombstone.count)
          writer.bytes += tombstone
        }
      }
    }
    return writer.bytes
  }
}
