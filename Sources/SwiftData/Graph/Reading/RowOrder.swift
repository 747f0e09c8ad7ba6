/// The complete order of a fetch in memory: the sort descriptors, and then the keys.
struct RowOrder<Model: PersistentModel> {
  private let order: FetchOrder<Model>

  init(_ descriptor: FetchDescriptor<Model>, _ binding: EntityBinding) {
    let (session, entity) = (binding.session, binding.entity)
    order = FetchOrder(descriptor.sortBy) { session.ordersTextsAsWritten(at: $0, of: entity) }
  }

  /// - Parameter keys: The keys of the two models.
  func precedes(_ left: Model, _ right: Model, keys: (left: Int64, right: Int64)) -> Bool {
    switch order.compare(left, right) {
    case .orderedAscending: true
    case .orderedDescending: false
    case .orderedSame: Self.precedes(keys.left, keys.right)
    }
  }

  /// Persistent models by key, then pending ones in the order of their insertion, with descending temporary keys.
  private static func precedes(_ left: Int64, _ right: Int64) -> Bool {
    switch (left > 0, right > 0) {
    case (true, true): left < right
    case (false, false): left > right
    case (let isSaved, _): isSaved
    }
  }
}
