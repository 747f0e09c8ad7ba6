import Workload

/// One implementation of an operation.
struct ComparedPeer {
  static let byHandName = "libpq"
  static let libraryName = "OpenSwiftData"

  let name: String
  let work: any Work
  /// The namespace that the work writes; nil when it only reads.
  let namespace: String?

  static func byHand(_ work: any Work, writing namespace: String? = nil) -> ComparedPeer {
    ComparedPeer(name: byHandName, work: work, namespace: namespace)
  }

  static func library(_ work: any Work, writing namespace: String? = nil) -> ComparedPeer {
    ComparedPeer(name: libraryName, work: work, namespace: namespace)
  }
}
