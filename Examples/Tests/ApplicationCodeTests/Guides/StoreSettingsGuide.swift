import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum StoreSettingsGuide {
  typealias Trip = ModelsAndContextsGuide.Trip

  static func open(_ url: URL) throws -> ModelContainer {
    let configuration = ModelConfiguration(
      url: url, options: .init(durability: .full, busyTimeout: .seconds(2)))
    let container = try ModelContainer(for: Trip.self, configurations: configuration)
    return container
  }

  static func backUp(_ container: ModelContainer, to folder: URL) throws {
    try container.backup(to: folder.appendingPathComponent("trips-2024-06-01.store"))
  }
}
