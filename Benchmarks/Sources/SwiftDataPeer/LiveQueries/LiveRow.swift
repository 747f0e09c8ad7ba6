import SwiftData
import Workload

/// What live queries are about.
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

/// What no live query is about.
@Model
final class LiveNote {
  var text: String

  init(text: String) {
    self.text = text
  }
}
