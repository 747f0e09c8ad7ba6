import Foundation
import SwiftData

@Model
final class Note {
  var text: String
  var written: Date
  var topic: Topic?

  init(text: String, written: Date = .now) {
    self.text = text
    self.written = written
  }
}

@Model
final class Topic {
  @Attribute(.unique) var name: String
  @Relationship(inverse: \Note.topic) var notes: [Note] = []

  init(name: String) {
    self.name = name
  }
}
