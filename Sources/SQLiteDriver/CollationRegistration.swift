import Foundation
import Relational
import SystemSQLite

/// Makes Swift's orders of texts known to the SQL of one connection.
enum CollationRegistration {
  private final class Box {
    let collation: Collation

    init(_ collation: Collation) {
      self.collation = collation
    }
  }

  static func register(_ collation: Collation, on connection: OpaquePointer?) throws {
    let code = sqlite3_create_collation_v2(
      connection, collation.name, SQLITE_UTF8, Unmanaged.passRetained(Box(collation)).toOpaque(),
      { box, leftCount, left, rightCount, right in
        guard let box else { return 0 }
        // SQLite has the box until the connection closes, and lends the texts for the call.
        let collation = Unmanaged<Box>.fromOpaque(box).takeUnretainedValue().collation
        let order = collation.compare(
          UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
          UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
        return Int32(order.signum())
      },
      { $0.map { Unmanaged<Box>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: connection) }
  }
}
