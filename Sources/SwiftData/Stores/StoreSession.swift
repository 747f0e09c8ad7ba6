import Foundation

/// One context's way to one store: all that a context ever asks of storage.
///
/// The relational store is one implementation; a store that trades in snapshots is another. Nothing here says how rows
/// are kept. Every call that reads sees one committed state; no call is made on two threads at a time.
protocol StoreSession: AnyObject {
  /// The identifier that the store's rows carry.
  var storeIdentifier: InternedString { get }

  /// The name of the store's configuration.
  var storeName: String { get }

  /// Whether both ends of a relationship are written, so that a plan has to have both when one changes.
  var keepsBothSides: Bool { get }
  /// Whether the row of a to-one's owner tells where it leads, and not the row of its target.
  func keepsTarget(of relationship: String, in entity: Schema.Entity) -> Bool

  /// Understands a descriptor, once for all that is asked of it afterwards.
  ///
  /// - Parameters:
  ///   - result: What the plan is asked for first, as long as the store can do all of the descriptor.
  ///   - allowsResidue: Whether the caller does what the store cannot.
  /// - Throws: ``SwiftDataError`` for what the store cannot do where the caller does not do it either.
  func plan<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, for result: FetchResultType, allowsResidue: Bool
  ) throws -> any FetchPlan

  /// The largest key of an entity's rows, zero when there are none; nil when the store cannot page by keys.
  func lastKey(of entity: Schema.Entity) throws -> Int64?

  /// Hands over the rows that have the given keys, in no order; keys without a row are passed over.
  ///
  /// - Parameter selection: The properties to read; all when nil. A store may read more.
  func rows(
    of entity: Schema.Entity, keys: [Int64], including selection: PropertySelection?,
    receive: (RowKey, _RowReader) throws -> Void
  ) throws

  /// Hands over the row that has the given key, if there is one.
  func row(of entity: Schema.Entity, key: Int64, receive: (RowKey, _RowReader) throws -> Void) throws

  /// Hands over what a relationship leads to: owner by owner, and the members of a to-many in their order.
  func members(
    of relationship: String, in entity: Schema.Entity, owners: [Int64], receive: (_ owner: Int64, RowKey) -> Void
  ) throws

  /// Hands over the rows that a to-many leads to, in any order.
  ///
  /// - Parameters:
  ///   - owners: The keys of the owners, no key twice.
  ///   - receive: Called once a member of each owner, with the position of the owner in `owners`. Those of one owner are
  ///     in order of `rank`, and of their keys where that is the same.
  func memberRows(
    of relationship: String, in entity: Schema.Entity, owners: [Int64],
    receive: (_ owner: Int, _ rank: Int64, RowKey, _RowReader) throws -> Void
  ) throws

  /// The key of the row that an identifier names by a text, which need not be there; nil where rows have no such keys.
  func key(for identifier: PersistentIdentifier) throws -> Int64?

  /// The text that a key of a row stands for; nil when it stands for itself.
  func text(for key: Int64) -> String?

  /// Writes a plan in one transaction: all of it or, when this throws, nothing.
  func save(_ plan: SavePlan) throws -> SaveOutcome

  func close()
}

extension StoreSession {
  func key(for identifier: PersistentIdentifier) throws -> Int64? { nil }
  func text(for key: Int64) -> String? { nil }

  func row(of entity: Schema.Entity, key: Int64, receive: (RowKey, _RowReader) throws -> Void) throws {
    try rows(of: entity, keys: [key], including: nil, receive: receive)
  }

  func rows(of entity: Schema.Entity, keys: [Int64], receive: (RowKey, _RowReader) throws -> Void) throws {
    try rows(of: entity, keys: keys, including: nil, receive: receive)
  }
}

/// What one save writes to one store, without saying how.
final class SavePlan {
  struct Update {
    var model: any PersistentModel
    /// The changed properties as `_ModelState.dirty` has them.
    var dirty: UInt64
  }

  /// Inserted models of one entity that come one after the other.
  struct Run {
    /// The position of the entity in the schema.
    let entity: Int
    let start: Int
    var end: Int

    var positions: Range<Int> { start..<end }

    init(entity: Int, start: Int) {
      self.entity = entity
      self.start = start
      end = start
    }
  }

  struct Membership {
    var owner: any PersistentModel
    var property: any RelationshipProperty
    var change: MembershipChange
  }

  /// What tells the graph whose changes they are, and the state that stands for it outside.
  let graph: UnsafeRawPointer
  let editingState: EditingState
  let inserts: [any PersistentModel]
  /// All of `inserts`, in their order.
  let insertRuns: [Run]
  /// The position in `inserts` by that in the context's list of inserted models; negative for another store's. Nil when
  /// both are the same.
  private let insertIndices: [Int32]?
  /// The keys that some of `inserts` had before their rows were deleted, by position. They get them again, unless
  /// somebody else has given a row such a key since.
  let revivedKeys: [Int: Int64]
  let updates: [Update]
  let deletes: [any PersistentModel]
  /// Keys of rows to delete that no model stands for, by the position of their entity in the schema. A store that keeps
  /// both sides of a relationship gets none.
  let deletedRows: [(entity: Int, keys: [Int64])]
  let memberships: [Membership]
  /// Whether code of the user, such as a value's own coding, has called back and changed the context while the plan was
  /// carried out.
  @exclusivity(unchecked) var isDisturbed = false
  /// What such code has read in vain.
  @exclusivity(unchecked) var failure: (any Error)?

  init(
    graph: UnsafeRawPointer, editingState: EditingState, inserts: [any PersistentModel], insertRuns: [Run],
    insertIndices: [Int32]?, revivedKeys: [Int: Int64], updates: [Update], deletes: [any PersistentModel],
    deletedRows: [(entity: Int, keys: [Int64])],
    memberships: [Membership]
  ) {
    self.graph = graph
    self.editingState = editingState
    self.inserts = inserts
    self.insertRuns = insertRuns
    self.insertIndices = insertIndices
    self.revivedKeys = revivedKeys
    self.updates = updates
    self.deletes = deletes
    self.deletedRows = deletedRows
    self.memberships = memberships
  }

  /// - Throws: A `SwiftDataError` when the plan does not say any more what the context has, or what came of something that
  ///   could not be read. A store throws it before it commits anything.
  func checkUndisturbed() throws {
    if let failure { throw failure }
    if isDisturbed { throw Self.disturbance }
  }

  static var disturbance: SwiftDataError {
    SwiftDataError.modelValidationFailure.with(
      message: "The context was changed or saved while it was being saved, by a value's own coding or by a store.",
      hint: "Change the context before the save or after it.")
  }

  func index(ofInserted model: any PersistentModel) -> Int? {
    var position = model._$withState { $0.status == .inserted ? Int($0.listPlace) : -1 }
    if let insertIndices {
      guard insertIndices.indices.contains(position) else { return nil }
      position = Int(insertIndices[position])
    }
    // The place can be one in the list of another context, which the model has gone to.
    return inserts.indices.contains(position) && inserts[position] === model ? position : nil
  }
}

/// What a store answers to a save.
struct SaveOutcome {
  /// The key of each inserted model, in the order of the plan; zero for one that is saved and whose key nobody knows.
  var keys: [Int64]
  /// The models that a uniqueness constraint made an update of a row that was there already, by their positions in
  /// `keys`, with the entity that the row is of: not always that of the model, where entities inherit from one another.
  var merged: [Int: Int] = [:]
  /// Rows that the store changed beyond the plan.
  var affected: [RowKey] = []
  /// What is wrong with the answer of a store that has saved everything.
  var failure: (any Error)?
}
