import Foundation
import SwiftData

@Model
final class Note {
  var text: String
  var written: Date

  init(text: String, written: Date = .now) {
    self.text = text
    self.written = written
  }
}
