import SwiftData

extension SentElsewhere: @unchecked Sendable, CustomStringConvertible {
  public nonisolated var description: String { "a model of another file" }
}

extension SentVersion.Nested: @unchecked Sendable {}

extension SentNonisolated: @unchecked Sendable {}
