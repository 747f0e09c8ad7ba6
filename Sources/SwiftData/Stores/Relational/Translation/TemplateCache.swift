import Foundation
import Relational
import Support

/// What became of things that a store has put into SQL, by their shape.
///
/// A shape that comes back is worth a template. One that does not, such as that of a predicate written in generic code,
/// whose key paths are made anew each time, costs a place until there are too many of them.
final class TemplateCache<Shape: Hashable, Template: Sendable>: Sendable {
  enum Known: Sendable {
    case nothing
    /// It was seen before.
    case seen
    case template(Template)
    /// Its SQL depends on more than the shape tells.
    case unfit
  }

  /// Shapes and what is known of them are values that nobody changes, though the types of key paths do not say so.
  private struct Entries: @unchecked Sendable {
    var known: [Shape: Known] = [:]

    /// Forgets what was seen once, and all the rest only if that is not enough.
    mutating func makeCapacity(_ capacity: Int) {
      known = known.filter { if case .seen = $0.value { false } else { true } }
      if known.count >= capacity { known.removeAll() }
    }
  }

  private let capacity = 500
  private let entries = Mutex(Entries())

  func known(of shape: Shape) -> Known {
    entries.withLock { $0.known[shape] } ?? .nothing
  }

  func set(_ known: Known, of shape: Shape) {
    let entry = Entries(known: [shape: known])
    entries.withLock { [capacity] entries in
      if entries.known.count >= capacity { entries.makeCapacity(capacity) }
      entries.known.merge(entry.known) { $1 }
    }
  }
}

/// Predicates, by the nodes that they are made of.
typealias PredicateCache = TemplateCache<PredicateShape.Key, PredicateTemplate>

/// Statements, by the descriptors that they carry out.
typealias QueryCache = TemplateCache<QueryShape, QueryTemplate>
