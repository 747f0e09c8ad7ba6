import CSQLite
package import Foundation
import Workload

/// Fills large stores faster than by creating objects.
package enum StoreFilling {
  private static let itemsOfEach = 100

  /// Fills an empty store with items, and with owners of a hundred consecutive items each.
  package static func fill(_ file: URL, items: Int) throws {
    let store = try ItemStore(file)
    // An incomplete store is deleted.
    try store.connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    let insertOwner = try store.connection.prepare("INSERT INTO \"Owner\" (\"name\") VALUES (?)")
    let insertItem = try ItemInsertion(store)
    let transaction = try Transactions(store.connection)
    try transaction {
      var ownerID: Int64 = 0
      for number in 0..<items {
        if number.isMultiple(of: itemsOfEach) {
          try withText("Owner \(number / itemsOfEach)", boundTo: insertOwner.handle, 1) { try insertOwner.run() }
          ownerID = sqlite3_last_insert_rowid(store.connection.handle)
        }
        try insertItem(Item(ItemSeed(number: number), ownerID: ownerID))
      }
    }
  }

  /// Adds `count` copies of the last transaction to the history of a store.
  package static func repeatTransaction(in file: URL, count: Int) throws {
    let connection = try Connection(file)
    // An incomplete store is deleted.
    try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    try connection.execute(
      """
      CREATE TEMPORARY TABLE "last" AS SELECT * FROM "swiftdata_history" ORDER BY "_id" DESC LIMIT 1;
      WITH RECURSIVE "copy" ("number") AS (SELECT 1 UNION ALL SELECT "number" + 1 FROM "copy" WHERE "number" < \(count))
      INSERT INTO "swiftdata_history" ("_id", "at", "author", "process", "bundle", "changes")
      SELECT "_id" + "number", "at", "author", "process", "bundle", "changes" FROM "copy" CROSS JOIN "last";
      """)
  }

  /// Creates an index of the creation dates.
  package static func indexCreationDates(in file: URL) throws {
    try Connection(file).execute("CREATE INDEX \"Item_created\" ON \"Item\" (\"created\")")
  }
}
