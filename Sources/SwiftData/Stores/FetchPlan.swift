/// A store's plan for a descriptor, to be run once or several times.
///
/// The parts that the store cannot evaluate are in `residue` before it returns any row. Most of them are found when the
/// plan is made. A store may also find some when the plan runs: then it continues with a wider query, and adds to `residue`.
protocol FetchPlan: AnyObject {
  /// The parts of the descriptor that are left to the caller. Calls of the other methods can add to them.
  var residue: FetchResidue { get }

  /// Passes the rows that the descriptor selects, in its order. If there is a residue, more rows come, in any order, and
  /// limit and offset are left to the caller as well.
  ///
  /// - Parameters:
  ///   - restriction: The changes to the descriptor.
  ///   - receive: Called for each row with a reader that is valid only during the call.
  func rows(_ restriction: FetchRestriction, receive: (RowKey, _RowReader) throws -> Void) throws

  /// Explains what `rows` would do.
  func explanation(_ restriction: FetchRestriction) throws -> FetchExplanation

  /// Passes the keys of the rows that the descriptor selects, in its order.
  ///
  /// - Returns: False if there is a residue, so that the caller has to read the rows.
  func keys(receive: (RowKey) throws -> Void) throws -> Bool

  /// Counts the rows that the descriptor selects; nil if the caller has to read them.
  func count() throws -> Int?

  /// Computes aggregates over the rows that the descriptor selects, which is the descriptor of the query.
  ///
  /// - Returns: The finished groups; nil if the caller has to read the rows.
  func aggregates<Model: PersistentModel>(_ query: AggregateQuery<Model>) throws -> [AggregateRow]?
}

/// The result that a plan is made for.
enum FetchResultType {
  case rows
  /// Rows in the order of their keys, in pages.
  case pages
  case keys
  case count
  case aggregates
}

/// The parts of a fetch that are evaluated in memory, over the rows that the store selects by the rest.
struct FetchResidue: Equatable {
  var filters = false
  var sorts = false

  var isEmpty: Bool { !filters && !sorts }

  /// The error of a context that evaluates nothing in memory; nil without a residue.
  ///
  /// - Parameters:
  ///   - unfiltered: The part of the predicate that the store cannot evaluate, if it is known.
  ///   - unsorted: The reason why the store cannot sort, if it is known.
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
        message: "The store cannot sort by the descriptors\(unsorted.map { ", because \($0.reason)" } ?? "").",
        hint: "Allow the context to evaluate in memory, or sort by stored properties.")
    }
    return nil
  }
}

/// The changes of a fetch to its descriptor.
struct FetchRestriction {
  /// Selects every row, because pending changes may make the predicate select others.
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
    /// The key before the page, and its last possible key.
    var after: Int64
    var through: Int64
    var offset: Int
    var limit: Int
  }
}
