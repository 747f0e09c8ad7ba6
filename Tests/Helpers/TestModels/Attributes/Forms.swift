import Foundation
import SwiftData

/// Texts that are equal in Swift, and have different bytes.
enum Forms {
  /// Equal if the texts are.
  struct Word: RawRepresentable, Codable, Hashable, Sendable {
    var rawValue: String
  }

  struct Address: Codable, Hashable {
    var street: String
    var zip: Int
  }

  @Model
  class Page {
    @Attribute(.unique) var title: String
    var word: Word
    var former: Word?
    var twin: Word
    var address: Address
    var count = 0

    init(_ title: String, _ word: String = "", street: String = "", count: Int = 0) {
      self.title = title
      self.word = Word(rawValue: word)
      former = word.isEmpty ? nil : Word(rawValue: word)
      twin = Word(rawValue: word.precomposedStringWithCanonicalMapping)
      address = Address(street: street, zip: 1)
      self.count = count
    }
  }

  @Model
  final class Chapter: Page {
    #Unique<Chapter>([\.heading, \.tag])

    var heading: String
    var tag: Word

    init(_ title: String, heading: String, tag: String) {
      self.heading = heading
      self.tag = Word(rawValue: tag)
      super.init(title)
    }
  }

  static let composed = "caf\u{e9}"
  static let decomposed = "cafe\u{301}"
}
