import LibpqPeer
import PostgresPeer
import Workload

/// The stores of a run, all of them made by the library: one to read, and one for each peer to write.
///
/// The written ones have the same tables, indexes and foreign keys.
struct Namespaces {
  static let read = "bench_read"
  static let byHand = "bench_by_hand"
  static let library = "bench_library"
  static let libraryWithHistory = "bench_history"
  static let all = [read, byHand, library, libraryWithHistory]

  let url: String
  let seeds: Seeds

  func make() throws {
    for name in Self.all {
      try StoreFilling.drop(name, url)
      // Single saves by hand write history as well.
      let keepsHistory = name == Self.byHand || name == Self.libraryWithHistory
      try Store(url, namespace: name, keepsHistory: keepsHistory).fill(from: seeds, items: true)
      try StoreFilling(url, namespace: name).finish()
    }
  }

  func drop() throws {
    for name in Self.all { try StoreFilling.drop(name, url) }
  }

  /// Runs statements in a namespace by another connection than the peers'.
  func execute(_ sql: [String], in namespace: String) throws {
    let connection = try Connection(url, namespace: namespace)
    for sql in sql { try connection.execute(sql) }
  }
}
