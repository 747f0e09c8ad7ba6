import Workload

/// The costs of live results, in a file for programs.
struct LiveFile: Encodable {
  let live: [Entry]

  struct Entry: Encodable {
    let name: String
    let unit: String
    let bar: Double?
    let peers: [PeerEntry]
    let calm: Bool
  }

  struct PeerEntry: Encodable {
    let peer: String
    let value: Double
  }

  init(results: [LiveResult]) {
    live = results.map { result in
      let peers = zip(livePeers, result.values).compactMap { peer, value in
        value.map { PeerEntry(peer: peer.name, value: $0.value) }
      }
      return Entry(
        name: result.subject.rawValue, unit: result.subject.unit.rawValue, bar: result.subject.bar, peers: peers,
        calm: result.isCalm)
    }
  }
}
