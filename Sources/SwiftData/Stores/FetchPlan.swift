/// A store's plan for a descriptor, to be run once or several times.
///
/// What the store cannot do is known, as `residue`, before it hands over any row. Most of that is found out when the
/// plan is made. A store may also find it out when the plan is run: then it goes on by itself with a wider query, and
/// `residue` tells afterwards.
protocol FetchPlan: AnyObject {
  /// What of the descriptor is left to the caller. A call of the others can add to it.
  var residue: FetchResidue { get }

  /// Hands over the rows that the descriptor selects, in its order, but for what is left to the caller: then more rows
  /// come, in any order, and limit and offset are left to the caller as well.
  ///
  /// - Parameters:
  ///   - restriction: What to leave out of the descriptor, or to add to it.
  ///   - receive: Called once a row, which is lent for the call.
  func rows(_ restriction: FetchRestriction, receive: (RowKey, _RowReader) throws -> Void) throws

  /// Tells what `rows` would do.
  func explanation(_ restriction: FetchRestriction) throws -> FetchExplanation

  /// Hands over the keys of the rows that the descriptor selects, in its order.
  ///
  /// - Returns: False when there were none, because something is left to the caller, who has to look at the rows.
  func keys(receive: (RowKey) throws -> Void) throws -> Bool

  /// Counts the rows that the descriptor selects; nil when the caller has to look at them.
  func count() throws -> Int?

  /// Works out aggregates over the rows that the descriptor selects, which is that of the query.
  ///
  /// - Returns: The groups, finished; nil when the caller has to look at the rows.
  func aggregates<Model: PersistentModel>(_ query: AggregateQuery<Model>) throws -> [AggregateRow]?
}

/// What a plan is made for.
enum FetchResultType {
  case rows
  /// Rows in the order of their keys, part by part.
  case pages
  case keys
  case count
  case aggregates
}

/// The parts of a fetch that are done in memory, over the rows that the store selects by the rest.
struct FetchResidue: Equatable {
  var filters = false
  var sorts = false

  var isEmpty: Bool { !filters && !sorts }

  /// The error of a context that does nothing in memory; nil when nothing is left to it.
  ///
  /// - Parameters:
  ///   - unfiltered: What of the predicate the store cannot evaluate, when it is known.
  ///   - unsorted: Why it cannot sort, when it is known.
  func refusal(
    entity: String, unfiltered: Untranslatable? = nil, unsorted: Untranslatable? = nil
  ) -> SwiftDataError? {
    if filters {
      return SwiftDataError.unsupportedPredicate.with(
        entity: entity, property: unfiltered?.keyPath,
        message:
          "The store cannot evaluate \(unfiltered.map { "\($0.part), because \($0.reason)" } ?? "the predicate").",
        hint: "Allow the context to evaluate in memory, or write the predicate in another way.")
    }
    if sorts {
      return SwiftDataError.unsupportedSortDescriptor.with(
        entity: entity, property: unsorted?.keyPath,
        message: "The store cannot sort as the descriptors say\(unsorted.map { ", because \($0.reason)" } ?? "").",
        hint: "Allow the context to evaluate in memory, or sort by stored properties.")
    }
    return nil
  }
}

/// How a fetch departs from its descriptor.
struct FetchRestriction {
  /// Takes every row, because the predicate cannot be trusted to the store while changes are pending.
  var ignoresPredicate = false
  /// Replaces the descriptor's limit; the offset is ignored along with it.
  var limit: Limit = .asDescribed

  enum Limit {
    case asDescribed
    case atMost(Int)
    case none
    /// In the order of the keys, for descriptors without any other.
    case page(KeyPage)
  }

  /// A part of the rows in the order of their keys.
  struct KeyPage {
    /// The key that the page begins after, and the last that it may have.
    var after: Int64
    var through: Int64
    var offset: Int
    var limit: Int
  }
}
