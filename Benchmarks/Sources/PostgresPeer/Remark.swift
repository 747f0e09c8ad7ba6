import SwiftData

/// The models of a third table.
@Model
final class Remark {
  var text: String

  init(_ text: String) {
    self.text = text
  }
}
