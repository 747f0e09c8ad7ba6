import Foundation
import Relational

/// The key of a statement: everything it depends on except bound values.
struct QueryShape: Hashable {
  /// The entity, the result, the presence of a limit and an offset, and the key paths and directions of the order.
  private var words: [UInt]
  /// The text of the condition between its values.
  private let condition: [String]
  /// Kept alive because `words` has their addresses: see `PredicateShape.Key`.
  private var keyPaths: [AnyKeyPath] = []

  /// Nil for a descriptor whose statement depends on more than the shape.
  ///
  /// - Parameter condition: The translated predicate of the descriptor.
  init?<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, _ condition: SQLExpression?, entity: Int, for result: FetchResultType
  ) {
    guard let result = result.number, descriptor.propertiesToFetch.isEmpty else { return nil }
    switch condition {
    case .prepared(let prepared)?: self.condition = prepared.pieces
    case nil: self.condition = []
    default: return nil
    }
    words = [
      UInt(bitPattern: entity), result, descriptor.limit == nil ? 0 : 1,
      descriptor.fetchOffset.map { $0 > 0 } == true ? 1 : 0,
    ]
    for descriptor in descriptor.sortBy {
      guard let keyPath = descriptor.keyPath else { return nil }
      words.append(UInt(bitPattern: ObjectIdentifier(keyPath)))
      words.append(descriptor.order == .forward ? 0 : 1)
      keyPaths.append(keyPath)
    }
  }

  static func == (left: Self, right: Self) -> Bool {
    left.words == right.words && left.condition == right.condition
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words)
    hasher.combine(condition)
  }
}

extension FetchResultType {
  /// Nil for results whose statements depend on more than the descriptor.
  fileprivate var number: UInt? {
    switch self {
    case .rows: 0
    case .keys: 1
    case .count: 2
    case .pages, .aggregates: nil
    }
  }
}
