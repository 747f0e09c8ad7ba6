import Foundation

/// A copy of a store for a migration, which replaces the store after all steps.
protocol StoreCopy: AnyObject, Sendable {
  /// Where the driver makes the copy and finds it.
  var path: String { get }
  /// The copy if it is a file; nil on a server.
  var file: WorkingCopy? { get }
  /// The configuration of the store, to open the copy.
  func moving(_ configuration: ModelConfiguration) -> ModelConfiguration
  /// Prepares the place of the copy.
  func prepare() throws
  /// Lets tables change while a container that has the copy open continues to read them as they are.
  func advance() throws
  /// Removes what only such a container needed, which is closed now.
  func removeFormer()
  func remove()
  /// Removes the copy and the files that were written for it, unless it has to replace the store.
  func discard()
}

extension StoreCopy {
  // A connection to a file continues to see one state by itself.
  func advance() throws {}
  func removeFormer() {}
  func discard() { remove() }
}

extension ModelConfiguration {
  /// - Parameter isRehearsal: Whether the copy never replaces the store.
  func workingCopy(isRehearsal: Bool = false) -> any StoreCopy {
    if let server { return ServerCopy(of: self, on: server) }
    return WorkingCopy(of: url, in: isRehearsal ? FileManager.default.temporaryDirectory : nil)
  }
}
