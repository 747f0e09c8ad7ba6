import LibpqPeer
import PostgresPeer
import Workload

/// An operation that the library and hand-written code do with the same tables.
enum Comparison: String, CaseIterable {
  case fetchAll = "fetch 100 k"
  case lookUp = "fetch 10 k by identifier, one at a time"
  case prefetchOwners = "1,000 owners with 100 k items, prefetched"
  case change = "change 10 k and save"
  case changeWithHistory = "the same with history"
  case insertAll = "insert and save 100 k"
  case insertAllWithHistory = "insert and save 100 k, with history"
  case insertSingly = "1,000 saves of one insert, with history"

  /// The largest ratio to the hand-written code; nil for a figure without a bar.
  var bar: Double? {
    switch self {
    case .fetchAll, .lookUp: 1.25
    case .prefetchOwners: 1.3
    case .insertAll, .change: 1.5
    case .insertSingly: 1.2
    case .insertAllWithHistory, .changeWithHistory: nil
    }
  }

  /// The operation with the same result in the benchmarks of SQLite.
  var scenario: Scenario {
    switch self {
    case .fetchAll: .fetchAll
    case .lookUp: .lookUp
    case .prefetchOwners: .prefetchOwners
    case .change, .changeWithHistory: .change
    case .insertAll, .insertAllWithHistory: .insertAll
    case .insertSingly: .insertSingly
    }
  }

  /// The peers in the order of the columns. The first is the hand-written code.
  func peers(_ namespaces: Namespaces) throws -> [ComparedPeer] {
    let (url, seeds) = (namespaces.url, namespaces.seeds)
    let isHistoryKept = [.changeWithHistory, .insertAllWithHistory, .insertSingly].contains(self)
    let written = isHistoryKept ? Namespaces.libraryWithHistory : Namespaces.library
    let store = {
      try Store(url, namespace: isWriting ? written : Namespaces.read, keepsHistory: isHistoryKept)
    }
    var emptying = ["TRUNCATE \"Item\"", "VACUUM swiftdata_sequences"]
    if isHistoryKept { emptying.append("TRUNCATE swiftdata_history") }
    let empty = { [emptying] in try namespaces.execute(emptying, in: written) }
    let tidy = { try namespaces.execute(["VACUUM \"Item\""], in: written) }
    let (read, byHand) = (Namespaces.read, Namespaces.byHand)
    switch self {
    case .fetchAll:
      return [
        .byHand(try LibpqPeer.FetchAll(url, namespace: read)), .library(PostgresPeer.FetchAll(try store())),
      ]
    case .lookUp:
      return [.byHand(try LibpqPeer.LookUp(url, namespace: read)), .library(try PostgresPeer.LookUp(store()))]
    case .prefetchOwners:
      return [
        .byHand(try LibpqPeer.PrefetchOwners(url, namespace: read)),
        .library(PostgresPeer.PrefetchOwners(try store())),
      ]
    case .change, .changeWithHistory:
      return [
        .byHand(try LibpqPeer.Change(url, namespace: byHand), writing: byHand),
        .library(PostgresPeer.Change(try store(), tidy: tidy), writing: written),
      ]
    case .insertAll, .insertAllWithHistory:
      return [
        .byHand(try InsertAll(url, namespace: byHand, seeds, .unnest), writing: byHand),
        .library(Insert(try store(), seeds, savesEach: false, empty: empty), writing: written),
        ComparedPeer(name: "libpq, COPY", work: try InsertAll(url, namespace: byHand, seeds, .copy), namespace: byHand),
      ]
    case .insertSingly:
      return [
        .byHand(try InsertSingly(url, namespace: byHand, seeds), writing: byHand),
        .library(Insert(try store(), seeds, savesEach: true, empty: empty), writing: written),
      ]
    }
  }

  private var isWriting: Bool {
    switch self {
    case .fetchAll, .lookUp, .prefetchOwners: false
    case .change, .changeWithHistory, .insertAll, .insertAllWithHistory, .insertSingly: true
    }
  }
}
