/// An implementation of the scenarios.
package protocol Peer: SendableMetatype {
  /// The name of the peer in tables and result files.
  static var name: String { get }

  init(folder: StoreFolder, seeds: Seeds)

  /// The peer's implementation of a scenario, or nil if it does not support the scenario.
  func work(for scenario: Scenario) throws -> (any Work)?
}
