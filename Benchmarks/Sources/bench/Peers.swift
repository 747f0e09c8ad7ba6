import GRDBCodablePeer
import GRDBPeer
import RawPeer
import SwiftDataPeer
import Workload

/// Who takes part. The first is what the others are compared with; adding a peer takes a target and a line here.
let allPeers: [any Peer.Type] = [
  RawC.self, OpenSwiftData.self, GRDBByHand.self, GRDBCodable.self,
]

/// This library without a history and with one: what the second takes is compared with what the first does.
let peersByHistory: [any Peer.Type] = [OpenSwiftData.self, OpenSwiftDataWithHistory.self]

/// All that can be asked for by name.
let knownPeers: [any Peer.Type] = allPeers + [OpenSwiftDataWithHistory.self]
