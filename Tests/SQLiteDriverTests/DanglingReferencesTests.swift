import Relational
import SQLiteDriver
import Testing

@Suite("Dangling references")
struct DanglingReferencesTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase

  init() throws {
    folder = try TemporaryFolder()
    database = try folder.database()
    try database.execute(
      """
      CREATE TABLE owner (id INTEGER PRIMARY KEY);
      CREATE TABLE part (
        id INTEGER PRIMARY KEY, first INTEGER REFERENCES owner(id), second INTEGER REFERENCES owner(id)
      );
      INSERT INTO owner VALUES (1);
      INSERT INTO part VALUES (1, 1, NULL);
      """)
  }

  @Test("Dangling references are counted by column")
  func danglingReferences() throws {
    try database.writeWithoutForeignKeys { connection in
      #expect(try connection.danglingReferences(of: "part") == [])
      try connection.execute("INSERT INTO part VALUES (2, 7, 1), (3, 8, 9)")
      #expect(
        try connection.danglingReferences(of: "part") == [
          DanglingReferences(column: "first", target: "owner", count: 2),
          DanglingReferences(column: "second", target: "owner", count: 1),
        ])
      #expect(try connection.danglingReferences(of: "owner") == [])
    }
  }

  @Test("Foreign keys are enforced again after a write without them, even if it throws")
  func foreignKeysRestored() throws {
    struct Stop: Error {}
    for fails in [false, true] {
      try? database.writeWithoutForeignKeys { connection in
        try connection.execute("DELETE FROM owner")
        if fails { throw Stop() }
      }
      #expect(throws: DatabaseError.self) { try database.execute("INSERT INTO part VALUES (9, 9, 9)") }
    }
    #expect(try database.integer("SELECT count(*) FROM owner") == 0)
  }
}
