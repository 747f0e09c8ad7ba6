import Relational

/// The preserved values of a deleted row: the columns of its preserved properties, with the names of that time.
struct Tombstone: Equatable {
  struct Part: Equatable {
    var property: String
    var values: [Value]
  }

  var parts: [Part] = []

  /// - Parameters:
  ///   - statement: A statement whose current row is the deleted one.
  ///   - map: The first column of each property.
  ///   - files: The files of large values. Their contents are included, as the row's files are removed.
  init(
    _ statement: Statement, _ layout: EntityLayout, _ map: UnsafePointer<Int32>, _ files: ExternalFiles?
  ) throws {
    for property in layout.properties where HistoryShapes.isPreserved(property.name, in: layout.entity) {
      let first = map[property.index]
      guard case .attribute(let coding, _, let isExternal) = property.storage, first >= 0 else { continue }
      var values = (0..<Int32(coding.columnCount)).map { statement.value(first + $0) }
      if isExternal, let files, case .text(let name)? = values.first {
        // A missing file cannot be preserved, and must not make the deletion fail.
        values[0] = (try? files.read(name)).map { .blob($0) } ?? .null
      }
      if values.contains(where: { $0 != .null }) { parts.append(Part(property: property.name, values: values)) }
    }
  }

  var bytes: [UInt8] {
    var writer = PackedWriter(bytes: [])
    writer.write(parts.count)
    for part in parts {
      writer.write(text: part.property)
      writer.write(part.values.count)
      for value in part.values { writer.write(value) }
    }
    return writer.bytes
  }

  /// - Throws: ``PackedReader/Damage`` for bytes that no release writes.
  init(reading bytes: [UInt8]) throws {
    parts = try bytes.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes: bytes)
      var parts: [Part] = []
      for _ in 0..<(try reader.count()) {
        var part = Part(property: try reader.text(), values: [])
        for _ in 0..<(try reader.count()) { part.values.append(try reader.value()) }
        parts.append(part)
      }
      guard reader.isAtEnd else { throw PackedReader.Damage() }
      return parts
    }
  }
}
