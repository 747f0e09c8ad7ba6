import Foundation
import Relational
import Support

/// A cache of SQL by shape.
///
/// A shape that is used again gets a template. One that is not, such as a predicate in generic code whose key paths are
/// created each time, uses an entry until there are too many.
final class TemplateCache<Shape: Hashable, Template: Sendable>: Sendable {
  enum Known: Sendable {
    case nothing
    /// It was seen before.
    case seen
    case template(Template)
    /// The SQL depends on more than the shape.
    case unfit
  }

  /// The entries are immutable, though the types of key paths are not `Sendable`.
  private struct Entries: @unchecked Sendable {
    var known: [Shape: Known] = [:]

    /// Removes shapes used only once, and all others if that is not enough.
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

/// Predicates by their nodes.
typealias PredicateCache = TemplateCache<PredicateShape.Key, PredicateTemplate>

/// Statements by their descriptors.
typealias QueryCache = TemplateCache<QueryShape, QueryTemplate>
