/// A page of a list that is sorted by name.
package enum NamePage: Sendable {
  case first
  case thousandth

  package static let size = 50
  /// How often the first page is fetched by an index: once takes too little time to be measured.
  package static let repetitions = 20

  package var offset: Int {
    switch self {
    case .first: 0
    case .thousandth: 999 * Self.size
    }
  }

  /// A number that the rows of the page come to in their order alone.
  package static func sum(_ numbers: some Sequence<Int>) -> Int {
    numbers.reduce(0) { ($0 * 31 + $1) % 1_000_003 }
  }

  /// What the rows of the page come to.
  var result: Int {
    let sorted = NameSeed.all.map { (key: Array($0.name.lowercased().utf8), number: $0.number) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return Self.sum(sorted[offset..<(offset + Self.size)].map(\.number))
  }
}
