import Foundation
import LibpqPeer
import PostgresPeer
import Reporting
import Workload

/// Measures the peers in turn, and prints a table.
struct ComparisonRun {
  private static let warmUps = 2

  let url: String
  let options: Options
  private let seeds = Seeds()

  init(url: String, options: Options) {
    self.url = url
    self.options = options
  }

  func callAsFunction() throws {
    let comparisons = Comparison.allCases.filter { options.includes($0.rawValue) }
    let namespaces = Namespaces(url: url, seeds: seeds)
    show("filling the stores")
    try namespaces.make()
    defer { try? namespaces.drop() }
    var rows: [[String]] = []
    var extra: [String] = []
    for comparison in comparisons {
      show("measuring: \(comparison.rawValue)")
      let timings = try measure(comparison, namespaces)
      for timing in timings { show("  \(timing.text)") }
      rows.append(cells(comparison, timings))
      for timing in timings.dropFirst(2) {
        extra.append("\(comparison.rawValue), by \(timing.name): \((timing.median * 1_000).shortened) ms")
      }
    }
    let names = [ComparedPeer.byHandName, ComparedPeer.libraryName]
    let header = ["operation"] + names + ["ratio", "of the fastest", "of processor time", "of the client's", "bar"]
    if !rows.isEmpty { print(TextTable(header: header, rows: rows).text) }
    for line in extra { print("\n\(line)") }
    if options.peer == nil, options.includes(RoundTrips.name) { try RoundTrips(url: url)() }
    if options.peer == nil, options.includes(SQLAlchemy.name) {
      try SQLAlchemy(url: url, namespace: Namespaces.library, rounds: min(5, options.rounds))()
    }
  }

  private func measure(_ comparison: Comparison, _ namespaces: Namespaces) throws -> [PeerTiming] {
    let peers = try comparison.peers(namespaces).filter { peer in
      options.peer.map { peer.name == $0 } ?? true
    }
    let expectation = Expectation(of: comparison.scenario, on: seeds)
    let inspections = try peers.map { peer in
      try peer.namespace.map { try Inspection(url, namespace: $0) }
    }
    let server = try ServerClock(url)
    var timings = peers.map { PeerTiming(name: $0.name) }
    for round in 0..<Self.warmUps + options.rounds {
      if round == Self.warmUps { for index in timings.indices { timings[index].removeAll() } }
      // Every other round runs backwards, so that no peer always has the same predecessor.
      let order = round.isMultiple(of: 2) ? Array(peers.indices) : peers.indices.reversed()
      for index in order {
        let peer = peers[index]
        try peer.work.prepare()
        let before = comparison.scenario == .change ? try inspections[index]?.digest() : nil
        var result = 0
        try timings[index].measure(with: server) { result = try peer.work.run() }
        let outcome = try peer.work.finish()
        guard result == expectation.result else {
          throw Failure("\(peer.name), \(comparison.rawValue): \(result) instead of \(expectation.result)")
        }
        switch (outcome, inspections[index]) {
        case (.objects(let digest), _): try check(digest, expectation.digest, peer, comparison)
        case (_, let inspection?):
          try check(inspection.digest(), before.map(Self.changed) ?? expectation.digest, peer, comparison)
        default: break
        }
      }
    }
    return timings
  }

  /// What changing the batch once makes of a digest, except for its ownership.
  private static func changed(_ digest: Digest) -> Digest {
    var digest = digest
    digest.count += Selection.batch.count
    return digest
  }

  private func check(_ digest: Digest, _ expected: Digest?, _ peer: ComparedPeer, _ comparison: Comparison) throws {
    guard var expected else { return }
    // The batch belongs to all owners, each with its number.
    if comparison.scenario == .change { expected.ownership = digest.ownership }
    guard digest != expected else { return }
    throw Failure("\(peer.name), \(comparison.rawValue): wrong values:\n  \(digest)\ninstead of\n  \(expected)")
  }

  private func cells(_ comparison: Comparison, _ timings: [PeerTiming]) -> [String] {
    func milliseconds(_ name: String) -> String {
      timings.first { $0.name == name }.map { "\(($0.median * 1_000).shortened) ms" } ?? "–"
    }
    func ratio(_ value: (PeerTiming) -> Double?) -> Double? {
      guard timings.count > 1, let library = value(timings[1]), let byHand = value(timings[0]) else { return nil }
      return library / byHand
    }
    let ratios = [ratio(\.median), ratio(\.fastest), ratio(\.medianTotal), ratio(\.medianProcessor)]
    let isMissed = ratio(\.median).flatMap { ratio in comparison.bar.map { ratio > $0 } } ?? false
    let bar = comparison.bar.map { "\($0.shortened)\(isMissed ? " (missed)" : "")" } ?? "–"
    let times = [ComparedPeer.byHandName, ComparedPeer.libraryName].map(milliseconds)
    return [comparison.rawValue] + times + ratios.map { $0?.shortened ?? "–" } + [bar]
  }

  private func show(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
