/// How a context would execute a fetch: the SQL, the database's plan for it, and the parts that are evaluated in memory.
///
/// An addition of OpenSwiftData. ``ModelContext/explain(_:)`` makes it. Print it, or look at its properties in a test:
///
/// ```swift
/// let explanation = try context.explain(descriptor)
/// #expect(!explanation.readsWholeTable && explanation.inMemory.isEmpty)
/// ```
public struct FetchExplanation: Hashable, Sendable, CustomStringConvertible {
  /// A step of the database's plan.
  public struct Step: Hashable, Sendable, CustomStringConvertible {
    /// A kind of step.
    public enum Kind: Hashable, Sendable {
      /// Reads all rows of a table, in the order of an index if the step has one.
      ///
      /// With a limit, a scan in the order of an index ends early.
      case scan
      /// Finds some rows of a table by their key or by an index.
      case search
      /// Sorts rows, or collects them to find equal ones.
      case sort
      /// Anything else, such as a part of the statement whose own steps follow.
      case other
    }

    /// The kind of the step.
    public let kind: Kind
    /// The name of the index that the step uses.
    ///
    /// The index of an `#Index` has a name that ends with those of its columns, that of a `.spotlight` property one that
    /// begins with `swiftdata_search_`.
    public let index: String?
    /// The number of other steps that contain the step.
    public let depth: Int
    /// The database's description of the step, which may differ between its releases.
    public let description: String

    init(_ kind: Kind, index: String?, depth: Int, description: String) {
      self.kind = kind
      self.index = index
      self.depth = depth
      self.description = description
    }
  }

  /// A part of the fetch that the context executes in memory, with the rows that the store selects.
  public struct InMemoryPart: Hashable, Sendable, CustomStringConvertible {
    /// A kind of work in memory.
    public enum Kind: Hashable, Sendable {
      /// The context evaluates the predicate. The statement has the conditions that have a translation to SQL as well.
      case predicate
      /// The context sorts the models.
      case sortOrder
      /// The context applies unsaved changes.
      case unsavedChanges
    }

    /// The kind of work.
    public let kind: Kind
    /// The reason, as the rest of a sentence that begins with “because”.
    public let reason: String

    init(_ kind: Kind, reason: String) {
      self.kind = kind
      self.reason = reason
    }

    /// The kind and the reason.
    public var description: String {
      let names: [Kind: String] = [
        .predicate: "predicate", .sortOrder: "sort order", .unsavedChanges: "unsaved changes",
      ]
      return "\(names[kind] ?? ""): \(reason)"
    }
  }

  /// The name of the configuration of the store.
  public let store: String
  /// The statement, with placeholders for values. Empty for a custom store, whose plans are not known.
  public let sql: String
  /// The database's plan for the statement.
  public let steps: [Step]
  /// The work of the context in memory; empty when the statement is the whole fetch.
  public internal(set) var inMemory: [InMemoryPart]

  init(store: String, sql: String, steps: [Step], inMemory: [InMemoryPart]) {
    self.store = store
    self.sql = sql
    self.steps = steps
    self.inMemory = inMemory
  }

  /// Whether the database reads a whole table that no index has in the necessary order.
  public var readsWholeTable: Bool {
    steps.contains { $0.kind == .scan && $0.index == nil }
  }

  /// Whether the database sorts rows without an index, and so reads all selected rows before it returns the first.
  public var sortsRows: Bool {
    steps.contains { $0.kind == .sort }
  }

  /// The names of the indexes that are used.
  public var indexes: [String] {
    steps.compactMap(\.index)
  }

  /// The statement, the plan and the work in memory, one fact a line.
  public var description: String {
    var lines = [sql.isEmpty ? "The store \(store) plans its fetches by itself." : sql]
    lines += steps.map { String(repeating: "  ", count: $0.depth + 1) + $0.description }
    if !inMemory.isEmpty {
      lines.append("in memory:")
      lines += inMemory.map { "  \($0)" }
    }
    return lines.joined(separator: "\n")
  }
}
