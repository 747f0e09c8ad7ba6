import Foundation

/// A number that tells the contents of a database from others.
///
/// Two copies of one state have the same bytes, whoever makes them, but for their header: that has the release of the
/// driver that wrote it.
enum ContentDigest {
  private static let headerLength: UInt64 = 100

  /// - Parameter copy: A copy that was just made, and of which nothing is open.
  static func of(_ copy: URL) throws -> UInt64 {
    let file = try FileHandle(forReadingFrom: copy)
    defer { try? file.close() }
    try file.seek(toOffset: headerLength)
    // FNV-1a: it has to tell what happens, and nobody gains by making two contents that have one number.
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty {
      bytes.withUnsafeBytes { bytes in
        for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
      }
    }
    return digest
  }
}
