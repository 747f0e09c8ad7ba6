import Synchronization

/// A string that is kept once in the process and named by a number, for names of stores and entities: there are few of
/// them, and identifiers compare and hash them often.
struct InternedString: Hashable, Sendable {
  let number: UInt32

  private struct Table {
    var numbers: [String: UInt32] = [:]
    var strings: [String] = []
  }

  private static let table = Mutex(Table())

  init(_ string: String) {
    number = Self.table.withLock { table in
      if let number = table.numbers[string] { return number }
      let number = UInt32(table.strings.count)
      table.strings.append(string)
      table.numbers[string] = number
      return number
    }
  }

  init(number: UInt32) {
    self.number = number
  }

  /// The string with a number that may be nobody's.
  init?(known number: UInt32) {
    guard Self.table.withLock({ Int(number) < $0.strings.count }) else { return nil }
    self.number = number
  }

  var string: String {
    Self.table.withLock { $0.strings[Int(number)] }
  }
}
