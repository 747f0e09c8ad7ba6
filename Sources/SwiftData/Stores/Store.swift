/// A store as its container sees it.
protocol Store: AnyObject, Sendable {
  /// The name of its configuration.
  var name: String { get }
  var debugDescription: String { get }
  var identifier: InternedString { get }
  func makeSession(for editingState: EditingState) -> any StoreSession
  func erase() throws
}
