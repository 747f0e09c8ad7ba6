public import Foundation

/// Why an aggregate has no answer. An addition of OpenSwiftData.
public struct AggregateError: LocalizedError, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// A sum of integers is larger than its type can hold.
    case overflow
    /// A limit or an offset of groups is less than zero.
    case negativeLimit
  }

  public let reason: Reason
  /// The name of the entity that was asked about.
  public let entity: String
  /// The key paths that it is about.
  public let properties: [String]
  private let message: String

  init(reason: Reason, entity: String, properties: [String], message: String) {
    self.reason = reason
    self.entity = entity
    self.properties = properties
    self.message = message
  }

  /// What happened, and with which properties.
  public var description: String {
    properties.isEmpty ? "\(entity): \(message)" : "\(entity): \(message) (\(properties.joined(separator: ", ")))"
  }

  public var errorDescription: String? {
    description
  }
}

extension AggregateError {
  /// What a sum of a query comes to that overflows.
  init<Model: PersistentModel>(overflowIn query: AggregateQuery<Model>) {
    let sums = query.columns.filter {
      if case .arithmetic(.sum, .integer) = $0.function { return true }
      if case .arithmetic(.sum, .unsignedInteger) = $0.function { return true }
      return false
    }
    self.init(
      reason: .overflow, entity: ModelRuntime.of(Model.self).entityName.string,
      properties: sums.compactMap { $0.operand?.name }, message: "A sum is too large for its type.")
  }
}
