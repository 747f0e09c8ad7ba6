import Foundation

/// A digest of the contents of a database.
///
/// Two copies of one state have the same bytes except for the header, which has the version of the driver.
enum ContentDigest {
  private static let headerLength: UInt64 = 100

  /// - Parameter copy: A new copy without open connections.
  static func of(_ copy: URL) throws -> UInt64 {
    let file = try FileHandle(forReadingFrom: copy)
    defer { try? file.close() }
    try file.seek(toOffset: headerLength)
    // FNV-1a: the digest detects accidental changes; a deliberate collision would gain nothing.
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty {
      bytes.withUnsafeBytes { bytes in
        for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
      }
    }
    return digest
  }
}
