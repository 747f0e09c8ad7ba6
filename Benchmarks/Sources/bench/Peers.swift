import GRDBCodablePeer
import GRDBPeer
import RawPeer
import SwiftDataPeer
import Workload

/// The compared peers. The first is the reference of the others; adding a peer takes a target and a line here.
let allPeers: [any Peer.Type] = [
  RawC.self, OpenSwiftData.self, GRDBByHand.self, GRDBCodable.self,
]

/// This library without and with a history; the first is the reference of the second.
let peersByHistory: [any Peer.Type] = [OpenSwiftData.self, OpenSwiftDataWithHistory.self]

/// All peers that have a name on the command line.
let knownPeers: [any Peer.Type] = allPeers + [OpenSwiftDataWithHistory.self]
