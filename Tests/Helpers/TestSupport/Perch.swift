import SwiftData

/// Runs a test's closure while it is encoded.
struct Parrot: Codable, Equatable {
  var word = ""
  @TaskLocal static var whileEncoding: Call?

  /// Runs once.
  ///
  /// `@unchecked Sendable` because a test uses it on its own thread.
  final class Call: @unchecked Sendable {
    private var body: (() throws -> Void)?
    private(set) var error: (any Error)?

    init(_ body: @escaping () throws -> Void) {
      self.body = body
    }

    func run() {
      let body = body
      self.body = nil
      do { try body?() } catch { self.error = error }
    }
  }

  init(_ word: String) {
    self.word = word
  }

  init(from decoder: any Decoder) throws {
    word = try decoder.singleValueContainer().decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    Self.whileEncoding?.run()
    var container = encoder.singleValueContainer()
    try container.encode(word)
  }
}

@Model
final class Perch {
  var number: Int
  @Attribute(.codable) var parrot: Parrot
  var above: Perch?
  @Relationship(inverse: \Perch.above) var below: [Perch] = []

  init(_ number: Int) {
    self.number = number
    parrot = Parrot("\(number)")
  }
}
