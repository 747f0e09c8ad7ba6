import Relational

/// A descriptor, planned for a relational store.
///
/// The plan renders the statement for its result first, and asks the database whether it accepts the statement, unless that
/// is small. If the database rejects a statement as too complex, even when it runs and before its first row, the plan
/// continues with a wider query.
final class RelationalPlan: FetchPlan {
  private let session: RelationalSession
  private let result: FetchResultType
  private let allowsResidue: Bool
  private let selection: PropertySelection?
  private lazy var projection: Projection = makeProjection()
  private var query: RelationalQuery
  /// The wider queries to try next; nil until the first attempt.
  private var reductions: ArraySlice<RelationalQuery>?
  /// The statement for the result of the plan.
  private var statement: RenderedStatement?

  init<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>, _ session: RelationalSession, for result: FetchResultType,
    allowsResidue: Bool
  ) throws {
    self.session = session
    self.result = result
    self.allowsResidue = allowsResidue
    query = try RelationalQuery(descriptor, session.store, for: result)
    selection = try PropertySelection(descriptor, query.layout.runtime)
    statement = query.knownStatement
    if statement == nil, query.shape != nil || query.isReducible {
      statement = makeStatement()
      remember()
    }
    if query.isReducible {
      while let current = statement, try !session.takes(current), reduce() { statement = makeStatement() }
    }
    try checkResidue()
  }

  var residue: FetchResidue { query.residue }

  // MARK: Statements

  /// The statement for the result of the plan; nil for aggregates.
  private func makeStatement() -> RenderedStatement? {
    makeStatement(of: query)
  }

  private func makeStatement(of query: RelationalQuery) -> RenderedStatement? {
    switch result {
    case .rows: render(query.select(projection.columns, FetchRestriction()))
    case .pages: render(query.select(projection.columns, FetchRestriction(limit: .page(.none))))
    case .keys: render(keySelect(of: query))
    case .count: render(query.count)
    case .aggregates: nil
    }
  }

  /// Records the statement in the store's cache; a template is made at the second statement of a shape.
  private func remember() {
    guard let shape = query.shape, let statement else { return }
    let queries = session.store.queries
    switch query.known {
    case .nothing:
      queries.set(.seen, of: shape)
    case .seen:
      let template = query.template { makeStatement(of: $0) ?? statement }
      queries.set(template.map { .template($0) } ?? .unfit, of: shape)
    case .template, .unfit:
      break
    }
  }

  private func statement(for restriction: FetchRestriction) -> RenderedStatement {
    let known = result == .rows && query.isAsDescribed(restriction) ? statement : nil
    return known ?? render(query.select(projection.columns, restriction))
  }

  private func keySelect(of query: RelationalQuery) -> Select {
    query.select(Array(wholeProjection.columns.prefix(wholeProjection.typeColumn == nil ? 1 : 2)), FetchRestriction())
  }

  /// All columns, of which the first ones are a row's key and entity.
  private var wholeProjection: Projection { session.layout.projection(of: query.layout) }

  private func makeProjection() -> Projection {
    selection.map { Projection(query.layout, including: $0) } ?? wholeProjection
  }

  private func render(_ select: Select) -> RenderedStatement {
    session.store.database.dialect.render(select)
  }

  // MARK: Running

  func rows(_ restriction: FetchRestriction, receive: (RowKey, _RowReader) throws -> Void) throws {
    var restriction = restriction
    while true {
      var hasBegun = false
      do {
        let statement = statement(for: restriction)
        return try session.read(statement, projection, query.layout, isCancellable: true, &hasBegun, receive)
      } catch let failure as SwiftDataError where failure.isTooComplex && !hasBegun {
        // A caller that reads in pages cannot evaluate the rest in memory.
        if case .page = restriction.limit { throw failure }
        try widenQuery(failure)
        restriction.limit = .none
      }
    }
  }

  func keys(receive: (RowKey) throws -> Void) throws -> Bool {
    guard residue.isEmpty else { return false }
    let statement = (result == .keys ? statement : nil) ?? render(keySelect(of: query))
    let projection = wholeProjection
    var hasBegun = false
    do {
      try session.readUnregistered(isCancellable: true) { connection in
        try connection.forEachRow(statement.sql, statement.parameters) { row in
          hasBegun = true
          try receive(projection.row(row.integer(0), row))
        }
      }
      return true
    } catch let failure as SwiftDataError where failure.isTooComplex && !hasBegun {
      try widenQuery(failure)
      return false
    }
  }

  func count() throws -> Int? {
    guard residue.isEmpty else { return nil }
    let statement = (result == .count ? statement : nil) ?? render(query.count)
    do {
      var count = 0
      try session.readUnregistered(isCancellable: true) { connection in
        try connection.forEachRow(statement.sql, statement.parameters) { count = Int($0.integer(0)) }
      }
      return query.limited(count)
    } catch let failure as SwiftDataError where failure.isTooComplex {
      try widenQuery(failure)
      return nil
    }
  }

  func aggregates<Model: PersistentModel>(_ query: AggregateQuery<Model>) throws -> [AggregateRow]? {
    guard residue.isEmpty else { return nil }
    return try session.aggregates(query, over: self.query)
  }

  func explanation(_ restriction: FetchRestriction) throws -> FetchExplanation {
    let statement = statement(for: restriction)
    do {
      let steps = try session.readUnregistered { try $0.steps(of: statement) }
      return FetchExplanation(
        store: session.storeName, sql: statement.sql, steps: steps.map { FetchExplanation.Step($0) },
        inMemory: query.inMemory)
    } catch let failure as SwiftDataError where failure.isTooComplex {
      try widenQuery(failure)
      return try explanation(FetchRestriction(ignoresPredicate: restriction.ignoresPredicate, limit: .none))
    }
  }

  // MARK: Complexity limits

  /// Replaces the query by a wider one.
  ///
  /// - Returns: Whether there is one.
  private func reduce() -> Bool {
    let rest = reductions ?? query.reductions[...]
    reductions = rest.dropFirst()
    guard let next = rest.first else { return false }
    Log.fetch.notice(
      "A query of \(next.layout.entity.name) is evaluated in memory, because it is more than the database takes")
    query = next
    statement = nil
    return true
  }

  /// Replaces the query by a wider one after the database has rejected it.
  private func widenQuery(_ failure: SwiftDataError) throws {
    guard reduce() else { throw failure }
    try checkResidue()
  }

  private func checkResidue() throws {
    guard !allowsResidue, !residue.isEmpty else { return }
    let refusal = residue.refusal(
      entity: query.layout.entity.name, unfiltered: query.unfiltered, unsorted: query.unsorted)
    if let refusal { throw refusal }
  }
}

extension FetchRestriction.KeyPage {
  /// A page without rows.
  fileprivate static var none: Self { Self(after: 0, through: 0, offset: 0, limit: 0) }
}
