import GRDBPeer
import RawPeer
import SwiftDataPeer
import Workload

/// How many instructions an operation takes by raw C, and what this library and GRDB by hand take as ratios to it.
struct PeerComparison {
  private static let absent = "–"
  static let peers: [any Peer.Type] = [RawC.self, GRDBByHand.self]
  static let header = ["\(RawC.name), millions", "\(OpenSwiftData.name) ratio", "\(GRDBByHand.name) ratio"]

  let library: Int
  /// Nil where the peer has no notion of the operation.
  let rawC: Int?
  let byHand: Int?

  var cells: [String] {
    [rawC?.inMillions ?? Self.absent, ratio(of: library), ratio(of: byHand)]
  }

  private func ratio(of count: Int?) -> String {
    guard let count, let rawC else { return Self.absent }
    return (Double(count) / Double(rawC)).shortened
  }
}
