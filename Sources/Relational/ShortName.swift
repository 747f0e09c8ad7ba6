/// Names within the length that a database allows for them.
package enum ShortName {
  /// The name, or its beginning and a number made of all of it where it is longer than `longest` bytes. Two names have the same
  /// short name only by a coincidence of 32 bits.
  package static func of(_ name: String, longest: Int) -> String {
    guard name.utf8.count > longest else { return name }
    let hash = name.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
    let suffix = "_" + String(repeating: "0", count: 8 - digits.count) + digits
    var head = name.unicodeScalars
    while head.reduce(0, { $0 + UTF8.width($1) }) > longest - suffix.utf8.count { head.removeLast() }
    return String(head) + suffix
  }
}
