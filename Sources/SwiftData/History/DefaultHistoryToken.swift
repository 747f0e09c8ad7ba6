/// A place in the history of one SQLite store, or of several.
///
/// A later transaction of a store has a greater token. Tokens that have stores in common are compared by these alone;
/// tokens of different stores are in the order of the stores' identifiers, which means nothing.
public struct DefaultHistoryToken: HistoryToken, Comparable, Hashable, Identifiable, Sendable, Codable {
  public typealias TokenType = [String: Int64]

  /// The number of a transaction of each store, by the store's identifier.
  public let tokenValue: TokenType?

  init(_ tokenValue: TokenType) {
    self.tokenValue = tokenValue
  }

  public var id: Int {
    hashValue
  }

  /// The identifier of the store; of the first one in the order of their identifiers when there are several, and empty
  /// when there is none.
  public var storeIdentifier: String {
    tokenValue?.keys.min() ?? ""
  }

  /// The number of the last transaction of a store that lies before the place; zero for a store that is not part of it.
  func number(of store: String) -> Int64 {
    tokenValue?[store] ?? 0
  }

  public static func < (lhs: DefaultHistoryToken, rhs: DefaultHistoryToken) -> Bool {
    let (left, right) = (lhs.tokenValue ?? [:], rhs.tokenValue ?? [:])
    let stores = left.keys.filter { right[$0] != nil }.sorted()
    for store in stores where left[store] != right[store] { return left[store, default: 0] < right[store, default: 0] }
    return stores.isEmpty && left.keys.sorted().lexicographicallyPrecedes(right.keys.sorted())
  }
}
