import LibpqPeer
import PostgresPeer

/// Counts the round trips of saves, as a proxy in front of the server sees them.
struct RoundTrips {
  static let name = "round trips of a save"
  private static let namespace = "bench_round_trips"

  let url: String

  func callAsFunction() throws {
    try StoreFilling.drop(Self.namespace, url)
    defer { try? StoreFilling.drop(Self.namespace, url) }
    guard let proxy = try RoundTripProxy(url) else {
      return print("\nRound trips are counted only at a server with a socket in the file system.")
    }
    for keepsHistory in [false, true] {
      let save = GraphSave(try Store(proxy.url, namespace: Self.namespace, keepsHistory: keepsHistory))
      // The first save prepares statements. Of the others the smallest number counts: an answer that arrives while the client
      // sends looks like one for which it has waited.
      let counts = try (0..<20).map { _ in try proxy.roundTrips { try save.run() } }
      let history = keepsHistory ? "with history" : "without history"
      print(
        "\n\(Self.name) of \(GraphSave.objectCount) new objects of three tables, \(history): \(counts.min() ?? 0)"
          + ", the first one of a container: \(counts[0])")
    }
  }
}
