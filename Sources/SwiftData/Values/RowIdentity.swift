import Foundation
import Synchronization

/// The range of the keys of rows. A store with keys of another kind assigns larger numbers to them.
enum RowIdentity {
  /// The first number that represents a key which is not a number.
  static let firstText: Int64 = 1 << 62
  /// The largest key of a row.
  static let lastNumber = firstText - 1

  /// Whether a row can have the key.
  @inline(__always)
  static func isValid(_ key: Int64) -> Bool {
    UInt64(bitPattern: key &- 1) < UInt64(bitPattern: firstText &- 1)
  }

  /// The text of a key.
  static func text(for key: Int64) -> String {
    "p\(key)"
  }

  /// The key whose text is `text`; nil for every other text.
  static func key(forText text: String) -> Int64? {
    guard text.hasPrefix("p"), let key = Int64(text.dropFirst()), isValid(key), text == Self.text(for: key) else {
      return nil
    }
    return key
  }
}

/// Keys of unsaved models: negative, and unique in the process.
enum TemporaryKey {
  /// The first key is -2, because the storage of a to-one uses -1 as a mark.
  private static let counter = Atomic<Int64>(1)
  /// Distinguishes temporary identifiers of this process from those of others.
  private static let processTag = UInt64.random(in: .min ... .max)

  static func next() -> Int64 {
    -counter.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The text of a key.
  static func text(for key: Int64) -> String {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { buffer in
      buffer.storeBytes(of: processTag.bigEndian, as: UInt64.self)
      buffer.storeBytes(of: key.magnitude.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return "t\(UUID(uuid: bytes).uuidString)"
  }

  /// The key whose text is `text`; nil for every other text, such as that of a key of another process.
  static func key(forText text: String) -> Int64? {
    guard text.hasPrefix("t"), let uuid = UUID(uuidString: String(text.dropFirst())) else { return nil }
    // A UUID has sixteen bytes, for two numbers of eight.
    return withUnsafeBytes(of: uuid.uuid) { buffer in
      guard UInt64(bigEndian: buffer.loadUnaligned(as: UInt64.self)) == processTag else { return nil }
      let number = Int64(bigEndian: buffer.loadUnaligned(fromByteOffset: 8, as: Int64.self))
      return number > 0 ? -number : nil
    }
  }
}
