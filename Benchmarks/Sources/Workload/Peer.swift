/// A way of working with the stores.
package protocol Peer: SendableMetatype {
  /// What the peer is called in tables and result files.
  static var name: String { get }

  init(folder: StoreFolder, seeds: Seeds)

  /// How this peer does the scenario, or nil if it has no notion of what the scenario is about.
  func work(for scenario: Scenario) throws -> (any Work)?
}
