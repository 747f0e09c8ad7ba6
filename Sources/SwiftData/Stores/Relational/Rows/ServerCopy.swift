import Foundation
import Relational
import Support

/// A working copy in another namespace of the store's database.
///
/// Tables cannot change while another connection reads them. So each version with code gets a copy of its own, made from the
/// one before.
final class ServerCopy: StoreCopy {
  private let configuration: ModelConfiguration
  private let server: any DatabaseServer
  private let name = workingCopyPrefix + UUID().uuidString.lowercased()
  /// The number of the present copy.
  private let number = Mutex(1)

  init(of configuration: ModelConfiguration, on server: any DatabaseServer) {
    self.configuration = configuration
    self.server = server
  }

  var path: String { path(number.withLock { $0 }) }
  var file: WorkingCopy? { nil }

  private func path(_ number: Int) -> String { "\(name)_\(number)" }

  func moving(_ configuration: ModelConfiguration) -> ModelConfiguration {
    configuration.moved(to: server.moved(to: path))
  }

  // The driver creates the namespace.
  func prepare() {}

  func advance() throws {
    let next = number.withLock { $0 } + 1
    let database = try moving(configuration).openDatabase()
    defer { try? database.close() }
    try database.read { try $0.makeWorkingCopy(at: path(next)) }
    number.withLock { $0 = next }
  }

  func removeFormer() {
    remove(path(number.withLock { $0 } - 1))
  }

  func remove() {
    remove(path)
  }

  private func remove(_ path: String) {
    do {
      let database = try configuration.openDatabase()
      defer { try? database.close() }
      try database.withoutTransaction { try $0.removeWorkingCopy(at: path) }
    } catch {
      Log.store.warning("The working copy \(path) of a migration stays until the next one: \(error)")
    }
  }
}
