import Foundation

extension ObjectGraph {
  /// Sets properties of what a predicate selects; see ``ModelContext/update(_:where:_:)``.
  ///
  /// - Returns: The number of rows.
  func update<T: PersistentModel>(_ update: RowUpdate, of type: T.Type, where predicate: Predicate<T>?) throws -> Int {
    let context = context
    defer { withExtendedLifetime(context) {} }
    try alone(checkNotWriting)
    if update.assignments.isEmpty { return 0 }
    try saving.checkLock()
    defer { if saving.isInTransaction { renewLocks() } }
    let descriptor = FetchDescriptor<T>(predicate: predicate)
    try alone { try prepareToRead(descriptor) }
    postWillSave(context)
    let (count, notice) = try alone {
      // Observers may have read something in vain, or have lost the lock by a save.
      try throwAccessFailure()
      try saving.checkLock()
      return try self.update(update, rowsOf: descriptor)
    }
    if let notice { post { postDidSave(notice) } }
    return count
  }

  /// - Returns: The number of rows, and what is to be told of them; nil when there are none.
  private func update<T: PersistentModel>(
    _ update: RowUpdate, rowsOf descriptor: FetchDescriptor<T>
  ) throws -> (count: Int, notice: ChangeNotice?) {
    let binding = try requireBinding(for: T.self)
    let plan = try fetchPlan(descriptor, for: .keys, binding)
    let graph = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    var done: (count: Int, notice: ChangeNotice?) = (0, nil)
    try binding.session.update(update, of: binding.entity, by: graph, author: editingState.author) {
      var rows: [RowKey] = []
      if try plan.keys(receive: { rows.append($0) }) { return rows }
      // By what is saved, whatever this context has.
      let found = try withOtherContext { try $0.savedRows(descriptor) }
      return try found.rows(at: 0..<found.count)
    } announce: { rows, token in
      var notice = notice(of: update, rows)
      if let token { notice.historyTokens.append((binding.session.storeIdentifier.string, token)) }
      // To this context it is what another one saves.
      core.broadcast(notice, from: nil)
      done = (rows.count, notice)
    }
    attemptToProcessInbox()
    return done
  }

  private func notice(of update: RowUpdate, _ rows: [RowKey]) -> ChangeNotice {
    // A class has the properties that it inherits first, so that they have the same places in all.
    let properties = update.assignments.reduce(UInt64(0)) { $0 | _ModelState.bit($1.property.index) }
    var notice = ChangeNotice()
    for row in rows {
      let toOnes = bindingsByOrdinal[row.entity].memberBits
      notice.noteUpdate(of: row.key, row.entity, properties: properties, toOnes: toOnes)
    }
    return notice
  }
}
