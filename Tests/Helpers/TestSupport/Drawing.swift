import Foundation
import SwiftData

@Model
final class Drawing {
  @Attribute(.externalStorage) var image: Data

  init(_ image: Data) {
    self.image = image
  }
}
