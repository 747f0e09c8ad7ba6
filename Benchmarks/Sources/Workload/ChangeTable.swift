/// A table that a trigger fills with changes, as a history without this library.
package enum ChangeTable {
  /// A table of the last transaction's number, and a table of changed rows, in the order of the transactions.
  package static let definition = """
    CREATE TABLE "last_transaction" ("number" INTEGER NOT NULL);
    INSERT INTO "last_transaction" VALUES (0);
    CREATE TABLE "change" (
      "transaction" INTEGER NOT NULL, "table" TEXT NOT NULL, "row" INTEGER NOT NULL, "kind" INTEGER NOT NULL,
      "columns" INTEGER NOT NULL, PRIMARY KEY ("transaction", "table", "row", "kind")
    ) WITHOUT ROWID;
    CREATE TRIGGER "Item_update" AFTER UPDATE ON "Item" BEGIN
      INSERT INTO "change" VALUES (
        (SELECT "number" FROM "last_transaction"), 'Item', NEW."_id", 1,
        (OLD."name" IS NOT NEW."name") + (OLD."detail" IS NOT NEW."detail") * 2 + (OLD."count" IS NOT NEW."count") * 4
          + (OLD."price" IS NOT NEW."price") * 8 + (OLD."created" IS NOT NEW."created") * 16
          + (OLD."flag" IS NOT NEW."flag") * 32 + (OLD."owner_id" IS NOT NEW."owner_id") * 64
      ) ON CONFLICT DO UPDATE SET "columns" = "columns" | excluded."columns";
    END;
    """

  /// The first statement of each transaction.
  package static let nextTransaction = "UPDATE \"last_transaction\" SET \"number\" = \"number\" + 1"

  package static let changeItem = "UPDATE \"Item\" SET \"count\" = \"count\" + 1 WHERE \"_id\" = ?"

  /// Selects the changes after a transaction.
  package static let select = """
    SELECT "transaction", "table", "row", "kind", "columns" FROM "change" WHERE "transaction" > ?
    ORDER BY "transaction", "table", "row", "kind"
    """

  /// The number of the transaction after which all are fetched.
  package static let firstTransaction: Int64 = 1
}
