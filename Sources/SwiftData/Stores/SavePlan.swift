/// The changes that one save writes to one store.
final class SavePlan {
  struct Update {
    let model: any PersistentModel
    /// The key of the model's row.
    let key: Int64
    /// The position of the model's entity in the schema.
    let entity: Int
    /// The changed properties, as bits of `_ModelState.dirty`.
    let dirty: UInt64

    func with(dirty: UInt64) -> Update {
      Update(model: model, key: key, entity: entity, dirty: dirty)
    }

    /// Whether a property is changed: of the properties that share the last bit, only some may be, and the others keep the
    /// values in the store.
    func changes(_ index: Int) -> Bool {
      dirty & _ModelState.bit(index) != 0 && model._$withState { $0.isPending(index) }
    }
  }

  /// Successive insertions of one entity.
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

  /// The graph of the changes, and the state that identifies it to custom stores.
  let graph: UnsafeRawPointer
  let editingState: EditingState
  let inserts: [any PersistentModel]
  /// All of `inserts`, in their order.
  let insertRuns: [Run]
  /// The positions in `inserts` by those in the context's list of inserted models; negative for other stores. Nil if both
  /// are equal.
  private let insertIndices: [Int32]?
  let updates: [Update]
  let deletes: [any PersistentModel]
  /// The keys of rows to delete without models, by the position of their entity in the schema. A store that keeps both sides
  /// of a relationship gets none.
  let deletedRows: [(entity: Int, keys: [Int64])]
  let memberships: [Membership]
  /// Performs the whole plan, in a store that can delete by predicate.
  let batchDeletion: BatchDeletion?
  /// Whether an inserted model may be merged into a row with its unique values.
  let allowsUpserts: Bool
  /// Whether code of the application, such as a value's own coding, has changed the context during the save.
  var isDisturbed = false
  /// The error of a failed read in such code.
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

  /// - Throws: A `SwiftDataError` if the plan does not match the context any more, or depends on a failed read. A store
  ///   throws it before it commits anything.
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
    // The model may have moved to another context, whose list has it at the position.
    return inserts.indices.contains(position) && inserts[position] === model ? position : nil
  }
}
