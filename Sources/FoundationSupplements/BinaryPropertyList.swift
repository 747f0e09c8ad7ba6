import Foundation

#if !canImport(Darwin)
  /// A property list in Apple's binary format, read one object at a time.
  ///
  /// Foundation's own reader represents references in archives by a private class.
  struct BinaryPropertyList {
    /// An object, with the positions of the objects that it contains.
    enum Object {
      case text(String)
      case data(count: Int)
      /// A reference in an archive to another of its objects.
      case reference(Int)
      case list([Int])
      case table([String: Int])
      /// A number, a date or a truth value.
      case other
    }

    private let bytes: [UInt8]
    private let offsets: [Int]
    private let positionSize: Int
    /// The position of the root object.
    let top: Int

    private static let header = Array("bplist00".utf8)
    private static let trailerSize = 32

    /// - Returns: nil for data that is not a binary property list.
    init?(_ data: Data) {
      let bytes = [UInt8](data)
      guard bytes.count > Self.header.count + Self.trailerSize, bytes.starts(with: Self.header) else { return nil }
      let trailer = bytes.count - Self.trailerSize
      let offsetSize = Int(bytes[trailer + 6])
      guard let count = Self.number(in: bytes, at: trailer + 8, size: 8),
        let top = Self.number(in: bytes, at: trailer + 16, size: 8),
        let table = Self.number(in: bytes, at: trailer + 24, size: 8), count <= bytes.count, table < bytes.count
      else { return nil }
      var offsets: [Int] = []
      offsets.reserveCapacity(count)
      for index in 0..<count {
        guard let offset = Self.number(in: bytes, at: table + index * offsetSize, size: offsetSize) else { return nil }
        offsets.append(offset)
      }
      self.bytes = bytes
      self.offsets = offsets
      positionSize = Int(bytes[trailer + 7])
      self.top = top
    }

    /// - Returns: nil where the data is damaged.
    func object(at position: Int) -> Object? {
      guard offsets.indices.contains(position), bytes.indices.contains(offsets[position]) else { return nil }
      var place = offsets[position]
      let (kind, detail) = (bytes[place] >> 4, bytes[place] & 15)
      place += 1
      switch kind {
      case 0x0, 0x1, 0x2, 0x3: return .other
      case 0x8: return number(at: place, size: Int(detail) + 1).map { .reference($0) }
      case 0x4, 0x5, 0x6, 0xA, 0xD: break
      default: return nil
      }
      guard let count = self.count(detail, &place) else { return nil }
      switch kind {
      case 0x4: return content(at: place, count, ofSize: 1).map { .data(count: $0.count) }
      case 0x5: return text(at: place, count).map { .text($0) }
      case 0x6: return wideText(at: place, count).map { .text($0) }
      case 0xA: return positions(at: place, count).map { .list($0) }
      default: return table(at: place, count).map { .table($0) }
      }
    }

    /// The number of elements of an object: fifteen means that an integer with the number follows.
    private func count(_ detail: UInt8, _ place: inout Int) -> Int? {
      guard detail == 15 else { return Int(detail) }
      guard bytes.indices.contains(place), bytes[place] >> 4 == 1, bytes[place] & 15 <= 3 else { return nil }
      let size = 1 << Int(bytes[place] & 15)
      guard let count = number(at: place + 1, size: size), count <= bytes.count else { return nil }
      place += 1 + size
      return count
    }

    private func text(at place: Int, _ count: Int) -> String? {
      guard let content = self.content(at: place, count, ofSize: 1), content.allSatisfy({ $0 < 0x80 }) else {
        return nil
      }
      return String(decoding: content, as: UTF8.self)
    }

    private func wideText(at place: Int, _ count: Int) -> String? {
      guard let content = self.content(at: place, count, ofSize: 2) else { return nil }
      let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
        UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
      }
      return String(decoding: units, as: UTF16.self)
    }

    private func positions(at place: Int, _ count: Int) -> [Int]? {
      guard positionSize > 0, content(at: place, count, ofSize: positionSize) != nil else { return nil }
      var positions: [Int] = []
      positions.reserveCapacity(count)
      for index in 0..<count {
        guard let position = number(at: place + index * positionSize, size: positionSize) else { return nil }
        positions.append(position)
      }
      return positions
    }

    private func table(at place: Int, _ count: Int) -> [String: Int]? {
      guard let names = positions(at: place, count), let values = positions(at: place + count * positionSize, count)
      else { return nil }
      var table: [String: Int] = [:]
      for (name, value) in zip(names, values) {
        // Nil for two values with the same name, of which neither takes precedence.
        guard case .text(let text)? = object(at: name), table.updateValue(value, forKey: text) == nil else {
          return nil
        }
      }
      return table
    }

    /// - Parameter count: At most the size of the data.
    private func content(at place: Int, _ count: Int, ofSize size: Int) -> ArraySlice<UInt8>? {
      guard place <= bytes.count, count * size <= bytes.count - place else { return nil }
      return bytes[place..<(place + count * size)]
    }

    private func number(at place: Int, size: Int) -> Int? {
      Self.number(in: bytes, at: place, size: size)
    }

    private static func number(in bytes: [UInt8], at place: Int, size: Int) -> Int? {
      guard size > 0, size <= 8, place >= 0, place <= bytes.count - size else { return nil }
      return Int(exactly: bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
  }
#endif
