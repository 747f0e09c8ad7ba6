import Support

/// A string that exists once in the process and is compared by its address: the name of an entity or of a store. There are
/// few of them, and identifiers compare and hash them often.
///
/// Only names of schemas and opened stores are interned, and kept for the life of the process. Names from outside are
/// looked up (`init(known:)`), so that input cannot fill the table.
struct InternedString: Hashable, Sendable {
  private final class Entry: Sendable {
    let number: UInt32
    let string: String
    let hash: Int

    init(number: UInt32, string: String) {
      self.number = number
      self.string = string
      hash = string.hashValue
    }
  }

  private struct Table {
    var entries: [String: Entry] = [:]
    var byNumber: [Entry] = []
  }

  private static let table = Mutex(Table())
  static let empty = InternedString("")

  // Not retained: the table retains each entry for the life of the process.
  private let entry: Unmanaged<Entry>

  init(_ string: String) {
    entry = Self.table.withLock { table in
      if let entry = table.entries[string] { return .passUnretained(entry) }
      let entry = Entry(number: UInt32(table.byNumber.count), string: string)
      table.entries[string] = entry
      table.byNumber.append(entry)
      return .passUnretained(entry)
    }
  }

  /// The string if it was interned before.
  init?(known string: String) {
    guard let entry = Self.table.withLock({ $0.entries[string].map(Unmanaged.passUnretained) }) else { return nil }
    self.entry = entry
  }

  /// The string with an existing number.
  init(number: UInt32) {
    entry = Self.table.withLock { .passUnretained($0.byNumber[Int(number)]) }
  }

  var number: UInt32 {
    entry._withUnsafeGuaranteedRef { $0.number }
  }

  var string: String {
    entry._withUnsafeGuaranteedRef { $0.string }
  }

  /// The hash of the string, computed once.
  var stringHash: Int {
    entry._withUnsafeGuaranteedRef { $0.hash }
  }

  static func == (lhs: InternedString, rhs: InternedString) -> Bool {
    lhs.entry.toOpaque() == rhs.entry.toOpaque()
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(entry.toOpaque())
  }
}
