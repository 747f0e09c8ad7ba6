import RawPeer
import Timing
import Workload

/// A peer's work, with checks of its results.
final class CheckedWork: Repeatable {
  private let peer: String
  private let work: any Work
  private let expectation: Expectation
  private var result = 0

  init(of peer: any Peer.Type, _ work: any Work, _ expectation: Expectation) {
    self.peer = peer.name
    self.work = work
    self.expectation = expectation
  }

  func prepare() throws {
    try work.prepare()
  }

  func run() throws {
    result = try work.run()
  }

  func finish() throws {
    let outcome = try work.finish()
    guard result == expectation.result else {
      throw BenchError("\(peer) returned \(result) instead of \(expectation.result)")
    }
    switch outcome {
    case .nothing:
      break
    case .objects(let digest):
      try check(digest, against: expectation.digest)
    case .orders(let digest):
      try check(digest, against: expectation.orders)
    case .store(let file):
      try check(Inspection.digest(of: file), against: expectation.digest)
    }
  }

  private func check<Sums: Equatable>(_ digest: Sums, against expected: Sums?) throws {
    guard let expected, digest != expected else { return }
    throw BenchError("\(peer) has wrong values:\n  \(digest)\ninstead of\n  \(expected)")
  }
}
