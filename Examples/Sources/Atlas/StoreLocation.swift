import Foundation
import SwiftData
import SwiftDataPostgres

/// The location of the demo's store.
struct StoreLocation: CustomStringConvertible {
  private let configuration: any DataStoreConfiguration

  /// Memory, the database at the URL `postgres`, the file at `path`, or else one in the platform's folder for a program's
  /// data.
  init(path: String?, inMemory: Bool, postgres: String?) {
    configuration =
      if inMemory {
        ModelConfiguration("Atlas", isStoredInMemoryOnly: true)
      } else if let postgres {
        PostgresConfiguration(url: postgres)
      } else if let path {
        ModelConfiguration("Atlas", url: URL(filePath: path).standardizedFileURL)
      } else {
        ModelConfiguration("Atlas")
      }
  }

  /// The store's file; nil when the store is somewhere else.
  var file: String? {
    guard let file = configuration as? ModelConfiguration, !file.isStoredInMemoryOnly else { return nil }
    return file.url.path
  }

  /// Leaves out the URL of a database, which may have a password.
  var description: String { file ?? (configuration is PostgresConfiguration ? "PostgreSQL" : "memory") }

  /// Opens the store, or creates it when there is none.
  func open() throws -> ModelContainer {
    do {
      return try ModelContainer(for: Country.self, TimeZoneRegion.self, configurations: configuration)
    } catch {
      throw AtlasError(at: self, because: error)
    }
  }
}
