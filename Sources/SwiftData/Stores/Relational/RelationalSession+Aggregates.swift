import Foundation
import Relational

extension RelationalSession {
  func fetchAggregates<Model: PersistentModel>(_ query: AggregateQuery<Model>) throws -> [AggregateRow]? {
    let statement: AggregateStatement
    do {
      statement = try AggregateStatement(query, store)
    } catch let failure as Untranslatable {
      Log.fetch.debug("Aggregates are worked out in memory, because \(failure.reason)")
      return nil
    }
    let rendered = store.database.dialect.render(statement.select)
    do {
      let rows = try store.read { connection in
        var rows: [AggregateRow] = []
        try connection.forEachRow(rendered.sql, rendered.parameters) { rows.append(try statement.row($0)) }
        return rows
      }
      return statement.isFinished ? rows : try query.finished(rows)
    } catch let failure as StoreFailure where failure.message.contains(ArithmeticFunctions.Overflow.message) {
      throw AggregateError(overflowIn: query)
    } catch let failure as StoreFailure where failure.isTooComplex {
      Log.fetch.notice("Aggregates of \(Model.self) are worked out in memory, because of: \(failure.message)")
      return nil
    }
  }
}
