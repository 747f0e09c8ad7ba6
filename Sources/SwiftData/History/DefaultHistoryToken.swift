/// A position in the history of one SQLite store, or of several.
///
/// A later transaction of a store has a greater token. Tokens that have stores in common are compared by these stores
/// only; tokens of different stores are in the order of the stores' identifiers, which has no meaning.
public struct DefaultHistoryToken: HistoryToken, Comparable, Hashable, Identifiable, Sendable, Codable {
  public typealias TokenType = [String: Int64]

  private enum Positions: Hashable {
    case one(store: String, number: Int64)
    /// None, or more than one.
    case several([String: Int64])
  }

  // Each save makes a token of one position, and a dictionary would be most of its cost.
  private let positions: Positions

  init(store: String, number: Int64) {
    positions = .one(store: store, number: number)
  }

  init(_ tokenValue: TokenType) {
    if let (store, number) = tokenValue.first, tokenValue.count == 1 {
      positions = .one(store: store, number: number)
    } else {
      positions = .several(tokenValue)
    }
  }

  /// The number of a transaction of each store, by the store's identifier.
  public var tokenValue: TokenType? {
    switch positions {
    case .one(let store, let number): [store: number]
    case .several(let numbers): numbers
    }
  }

  public var id: Int {
    hashValue
  }

  /// The smallest of the identifiers of the stores; empty when there is none.
  public var storeIdentifier: String {
    tokenValue?.keys.min() ?? ""
  }

  /// The number of the last transaction of a store up to this token; zero for a store that is not part of it.
  func number(of store: String) -> Int64 {
    switch positions {
    case .one(store, let number): number
    case .one: 0
    case .several(let numbers): numbers[store] ?? 0
    }
  }

  public static func < (lhs: DefaultHistoryToken, rhs: DefaultHistoryToken) -> Bool {
    let (left, right) = (lhs.tokenValue ?? [:], rhs.tokenValue ?? [:])
    let stores = left.keys.filter { right[$0] != nil }.sorted()
    for store in stores where left[store] != right[store] { return left[store, default: 0] < right[store, default: 0] }
    return stores.isEmpty && left.keys.sorted().lexicographicallyPrecedes(right.keys.sorted())
  }

  // MARK: Coding

  private enum CodingKeys: CodingKey {
    case tokenValue
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decodeIfPresent(TokenType.self, forKey: .tokenValue) ?? [:])
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(tokenValue, forKey: .tokenValue)
  }
}
