/// What one save writes to one store, without saying how.
final class SavePlan {
  struct Update {
    let model: any PersistentModel
    /// The key of the model's row.
    let key: Int64
    /// The position of the model's entity in the schema.
    let entity: Int
    /// The changed properties as `_ModelState.dirty` has them.
    let dirty: UInt64

    func with(dirty: UInt64) -> Update {
      Update(model: model, key: key, entity: entity, dirty: dirty)
    }

    /// Whether it is about a property: of those that share the last bit not all need be changed, and what others have made
    /// of the rest stays.
    func changes(_ index: Int) -> Bool {
      dirty & _ModelState.bit(index) != 0 && model._$withState { $0.isPending(index) }
    }
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
    var property: any ToManyRelationship
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
  let updates: [Update]
  let deletes: [any PersistentModel]
  /// Keys of rows to delete that no model stands for, by the position of their entity in the schema. A store that keeps
  /// both sides of a relationship gets none.
  let deletedRows: [(entity: Int, keys: [Int64])]
  let memberships: [Membership]
  /// What does all that the plan says, in a store that can delete what a predicate selects.
  let batchDeletion: BatchDeletion?
  /// Whether an inserted model may become a row that has its unique values already.
  let allowsUpserts: Bool
  /// Whether code of the user, such as a value's own coding, has called back and changed the context while the plan was
  /// carried out.
  var isDisturbed = false
  /// What such code has read in vain.
  var failure: (any Error)?

  init(
    graph: UnsafeRawPointer, editingState: EditingState, inserts: [any PersistentModel], insertRuns: [Run],
    insertIndices: [Int32]?, updates: [Update], deletes: [any PersistentModel],
    deletedRows: [(entity: Int, keys: [Int64])],
    memberships: [Membership], batchDeletion: BatchDeletion?, allowsUpserts: Bool
  ) {
    self.graph = graph
    self.editingState = editingState
    self.inserts = inserts
    self.insertRuns = insertRuns
    self.insertIndices = insertIndices
    self.updates = updates
    self.deletes = deletes
    self.deletedRows = deletedRows
    self.memberships = memberships
    self.batchDeletion = batchDeletion
    self.allowsUpserts = allowsUpserts
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
    var position = model._$withState { $0.status == .pending ? Int($0.listPosition) : -1 }
    if let insertIndices {
      guard insertIndices.indices.contains(position) else { return nil }
      position = Int(insertIndices[position])
    }
    // The place can be one in the list of another context, which the model has gone to.
    return inserts.indices.contains(position) && inserts[position] === model ? position : nil
  }
}
