/// A page of a list that is sorted by name.
package enum NamePage: Sendable {
  case first
  case thousandth

  package static let size = 50
  /// The number of fetches of the first page by an index: one takes too little time to be measured.
  package static let repetitions = 20

  package var offset: Int {
    switch self {
    case .first: 0
    case .thousandth: 999 * Self.size
    }
  }

  /// A checksum of the rows of the page that depends on their order.
  package static func sum(_ numbers: some Sequence<Int>) -> Int {
    numbers.reduce(0) { ($0 * 31 + $1) % 1_000_003 }
  }

  /// The expected checksum of the page.
  var result: Int {
    let sorted = NameSeed.all.map { (key: Array($0.name.lowercased().utf8), number: $0.number) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return Self.sum(sorted[offset..<(offset + Self.size)].map(\.number))
  }
}
