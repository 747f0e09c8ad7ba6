import CLibpq
package import Workload

/// Reads what was written, by another connection.
package struct Inspection {
  private let connection: Connection

  package init(_ url: String, namespace: String) throws {
    connection = try Connection(url, namespace: namespace)
  }

  /// The sums over all items.
  package func digest() throws -> Digest {
    let rows = try connection.rows(
      """
      SELECT count(*), sum(octet_length("Item"."name"))::bigint, count("detail"), sum("count")::bigint, sum("price"),
        sum("created"), count(*) FILTER (WHERE "flag"), count("owner_id"),
        sum("count" * substr("Owner"."name", 7)::bigint)::bigint
      FROM "Item" LEFT JOIN "Owner" ON "Owner"."_id" = "owner_id"
      """)
    var digest = Digest()
    digest.rows = Int(rows.integer(0, 0))
    digest.nameBytes = Int(rows.integer(0, 1))
    digest.details = Int(rows.integer(0, 2))
    digest.count = Int(rows.integer(0, 3))
    digest.price = rows.real(0, 4)
    digest.created = rows.real(0, 5)
    digest.flags = Int(rows.integer(0, 6))
    digest.owned = Int(rows.integer(0, 7))
    digest.ownership = Int(rows.integer(0, 8))
    return digest
  }

  /// The number of the process that serves this connection.
  package func serverProcess() -> Int32 {
    PQbackendPID(connection.handle)
  }

  /// The version of the server and the settings that decide how fast it is.
  package func server() throws -> String {
    let rows = try connection.rows(
      """
      SELECT 'PostgreSQL ' || current_setting('server_version') || ', fsync ' || current_setting('fsync')
        || ', synchronous_commit ' || current_setting('synchronous_commit')
        || ', shared_buffers ' || current_setting('shared_buffers')
      """)
    return rows.text(0, 0)
  }
}
