import SwiftData
import Workload

/// A row that live queries select.
@Model
final class LiveRow {
  #Index<LiveRow>([\.owner, \.position], [\.position])

  var number: Int
  var owner: Int
  var position: Int
  var text: String

  init(_ seed: LiveSeed) {
    number = seed.number
    owner = seed.owner
    position = seed.position
    text = seed.text
  }
}

/// A row that no live query selects.
@Model
final class LiveNote {
  var text: String

  init(text: String) {
    self.text = text
  }
}
