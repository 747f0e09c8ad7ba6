import Foundation
import Relational
import Support

/// What became of predicates that a store has translated, by their shape.
///
/// A shape that comes back is worth a template. One that does not, such as one written in generic code, whose key paths
/// are made anew each time, costs a place until there are too many of them.
final class PredicateCache: Sendable {
  enum Known: Sendable {
    case nothing
    /// It was seen before.
    case seen
    case template(PredicateTemplate)
    /// Its SQL depends on more than the shape tells.
    case unfit
  }

  /// Shapes and what is known of them are values that nobody changes, though the types of key paths do not say so.
  private struct Entries: @unchecked Sendable {
    var known: [PredicateShape.Key: Known] = [:]

    /// Forgets what was seen once, and all the rest only if that is not enough.
    mutating func makeRoom() {
      known = known.filter { if case .seen = $0.value { false } else { true } }
      if known.count >= PredicateCache.capacity { known.removeAll() }
    }
  }

  private static let capacity = 500
  private let entries = Mutex(Entries())

  func known(of key: PredicateShape.Key) -> Known {
    entries.withLock { $0.known[key] } ?? .nothing
  }

  func set(_ known: Known, of key: PredicateShape.Key) {
    let entry = Entries(known: [key: known])
    entries.withLock { entries in
      if entries.known.count >= Self.capacity { entries.makeRoom() }
      entries.known.merge(entry.known) { $1 }
    }
  }
}
