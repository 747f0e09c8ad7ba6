import Foundation
import Relational

extension RelationalSession {
  /// Computes aggregates over the rows of a query without a residue.
  ///
  /// - Returns: The finished groups; nil when the caller has to read the rows.
  func aggregates<Model: PersistentModel>(
    _ query: AggregateQuery<Model>, over base: RelationalQuery
  ) throws -> [AggregateRow]? {
    let statement: AggregateStatement
    do {
      statement = try AggregateStatement(query, over: base, store)
    } catch let failure as Untranslatable {
      Log.fetch.debug("Aggregates of \(Model.self) are computed in memory, because \(failure.reason)")
      return nil
    }
    let rendered = store.database.dialect.render(statement.select)
    do {
      let rows = try readUnregistered(isCancellable: true) { connection in
        var rows: [AggregateRow] = []
        try connection.forEachRow(rendered.sql, rendered.parameters) { rows.append(try statement.row($0)) }
        return rows
      }
      return statement.isFinished ? rows : try query.finished(rows)
    } catch let failure as SwiftDataError where failure.arithmeticFailure == .overflow {
      throw query.overflow
    } catch let failure as SwiftDataError where failure.arithmeticFailure == .unreadable {
      throw unreadableValue(in: query, over: base, failure)
    } catch let failure as SwiftDataError where failure.isTooComplex {
      Log.fetch.notice(
        """
        Aggregates of \(Model.self) are computed in memory, because the statement is too complex: \
        \(failure.details?.message ?? "")
        """)
      return nil
    }
  }

  /// The error of a sum or an average that met a value which its property cannot have.
  private func unreadableValue<Model: PersistentModel>(
    in query: AggregateQuery<Model>, over base: RelationalQuery, _ failure: SwiftDataError
  ) -> SwiftDataError {
    let sums = query.columns.filter {
      if case .arithmetic = $0.function { true } else { false }
    }
    let sum = sums.count > 1 ? sums.first(where: { isUnreadable($0, query, base) }) : sums.first
    let entity = ModelRuntime.of(Model.self).entityName.string
    let property = sum?.operand?.name ?? "one of its properties"
    return SwiftDataError.modelValidationFailure.with(
      entity: entity, property: property,
      message: "The store has a value for \(entity).\(property) that the property cannot have.",
      hint: "Another program wrote it, or the store is damaged. Fetch the models to find the row.",
      underlying: failure)
  }

  /// Whether a single sum or average meets such a value.
  private func isUnreadable<Model: PersistentModel>(
    _ column: AggregateColumn, _ query: AggregateQuery<Model>, _ base: RelationalQuery
  ) -> Bool {
    do {
      let single = try AggregateQuery(query.descriptor, columns: [column])
      let rendered = store.database.dialect.render(try AggregateStatement(single, over: base, store).select)
      try store.read { try $0.run(rendered.sql, rendered.parameters) }
      return false
    } catch {
      return (error as? SwiftDataError)?.arithmeticFailure == .unreadable
    }
  }
}
