import Foundation
import SwiftData

/// The location of the demo's store.
struct StoreLocation: CustomStringConvertible {
  private let configuration: ModelConfiguration

  /// The file at `path`, or else in the platform's folder for a program's data.
  init(path: String?, inMemory: Bool) {
    configuration =
      if inMemory {
        ModelConfiguration("Atlas", isStoredInMemoryOnly: true)
      } else if let path {
        ModelConfiguration("Atlas", url: URL(filePath: path).standardizedFileURL)
      } else {
        ModelConfiguration("Atlas")
      }
  }

  var isInMemory: Bool { configuration.isStoredInMemoryOnly }

  var description: String { isInMemory ? "memory" : configuration.url.path }

  /// Opens the store, or creates it when there is none.
  func open() throws -> ModelContainer {
    do {
      return try ModelContainer(for: Country.self, TimeZoneRegion.self, configurations: configuration)
    } catch {
      throw AtlasError(at: self, because: error)
    }
  }
}
