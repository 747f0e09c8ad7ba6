import CSQLite
import Foundation
import Workload

/// A plain object with the values of a row.
final class Name {
  let id: Int64
  let name: String
  let number: Int

  init(row: OpaquePointer) {
    id = sqlite3_column_int64(row, 0)
    name = text(row, 1) ?? ""
    number = Int(sqlite3_column_int64(row, 2))
  }
}

final class FetchNamePage: Work {
  private let page: NamePage
  private let times: Int
  private let statement: Statement

  /// - Parameter isIndexed: Whether to create an index of keys in the store, which must be a copy.
  init(_ page: NamePage, _ file: URL, isIndexed: Bool, times: Int = 1) throws {
    self.page = page
    self.times = times
    let connection = try Connection(file)
    try NameKeys.register(on: connection)
    if isIndexed { try connection.execute("CREATE INDEX \"names_by_key\" ON \"PlainName\" (name_key(\"name\"))") }
    statement = try connection.prepare(
      "SELECT \"_id\", \"name\", \"number\" FROM \"PlainName\" ORDER BY name_key(\"name\") LIMIT ? OFFSET ?")
  }

  func run() throws -> Int {
    var sum = 0
    for _ in 0..<times { sum = try fetch() }
    return sum
  }

  private func fetch() throws -> Int {
    sqlite3_bind_int64(statement.handle, 1, Int64(NamePage.size))
    sqlite3_bind_int64(statement.handle, 2, Int64(page.offset))
    var names: [Name] = []
    try statement.forEachRow { names.append(Name(row: $0)) }
    return NamePage.sum(names.map { $0.number })
  }
}
