import Foundation
import ManyModels
import SwiftData
import Timing
package import Workload

/// Opening an existing store, as the first use of the library in a process.
package struct ColdOpen {
  static let few = ColdOpen(entityCount: 5)
  static let many = ColdOpen(entityCount: 100)

  private let entityCount: Int

  /// Makes the stores to open.
  package static func prepare(in folder: StoreFolder) throws {
    for figure in [few, many] { _ = try figure.measure(in: folder) }
  }

  /// The time in seconds, including making the schema.
  func measure(in folder: StoreFolder) throws -> Double {
    let configuration = ModelConfiguration(url: folder.file("open \(entityCount)"), history: .none)
    return try CPUClock.seconds {
      let schema = Schema(Array(manyModels.prefix(entityCount)))
      _ = try ModelContainer(for: schema, configurations: configuration)
    }
  }
}
