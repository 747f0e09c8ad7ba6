import GRDBCodablePeer
import GRDBPeer
import RawPeer
import SwiftDataPeer
import Workload

/// Who takes part. The first is what the others are compared with; adding a peer takes a target and a line here.
let allPeers: [any Peer.Type] = [
  RawC.self, OpenSwiftData.self, GRDBByHand.self, GRDBCodable.self,
]
