import Foundation
import SwiftData

// The code of a guide, with declarations of the names that it uses. It is compiled, and not run.

enum ChangingModelsGuide {
  struct Address: Codable {
    var town: String
    private enum CodingKeys: String, CodingKey { case town = "city" }
  }
}
