import Foundation
import SwiftData

@Model
final class Item {
  var title: String
  /// Higher numbers are more urgent.
  var priority: Int
  var date: Date
  var isDone = false

  init(title: String, priority: Int = 0, date: Date = .now) {
    self.title = title
    self.priority = priority
    self.date = date
  }

  /// The item as a line of text.
  var line: String {
    let urgency = priority > 0 ? String(repeating: "!", count: min(priority, 3)) + " " : ""
    return
      "[\(isDone ? "x" : " ")] \(urgency)\(title) (\(date.formatted(.iso8601.year().month().day())))"
  }
}
