import Foundation
import Relational
import SQLiteDriver
import Testing

@Suite("SQL functions for sort keys")
struct SortKeyFunctionTests {
  private func database(_ write: @escaping SortKeyFunction.Write) throws -> SQLiteDatabase {
    try SQLiteDatabase(
      configuration: SQLiteConfiguration(location: .memory, sortKeys: [SortKeyFunction(name: "key", write: write)]))
  }

  @Test("A text without a sort key makes the statement fail, instead of null")
  func failures() throws {
    for failure in [SortKeyFunction.Failure.tooLong, .noMemory] {
      let database = try database { text, body throws(SortKeyFunction.Failure) in
        if text.count > 3 { throw failure }
        body(text)
      }
      try database.execute("CREATE TABLE t (x); CREATE INDEX i ON t (key(x))")
      let error = #expect(throws: DatabaseError.self) { try database.execute("INSERT INTO t VALUES ('abcd')") }
      if failure == .tooLong { #expect(error?.reason == .tooComplex) }
      try database.execute("INSERT INTO t VALUES ('abc'), (NULL), (''), (X''), (12)")
      let keys = try database.read { try $0.rows("SELECT key(x) FROM t ORDER BY rowid", []) }
      #expect(keys == [.blob(Data("abc".utf8)), .null, .blob(Data()), .blob(Data()), .blob(Data("12".utf8))])
    }
  }
}
