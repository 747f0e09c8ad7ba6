import GRDBPeer
import RawPeer
import Reporting
import SwiftDataPeer
import Workload

/// The instruction count of an operation by raw C, and the ratios of this library and GRDB by hand to it.
struct PeerComparison {
  private static let absent = "–"
  static let peers: [any Peer.Type] = [RawC.self, GRDBByHand.self]
  static let header = ["\(RawC.name), millions", "\(OpenSwiftData.name) ratio", "\(GRDBByHand.name) ratio"]

  let library: Int
  /// Nil where the peer does not support the operation.
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
