public import Foundation

/// An error of an aggregate that cannot be computed.
///
/// An addition of OpenSwiftData.
public struct AggregateError: LocalizedError, Hashable, CustomStringConvertible {
  /// Why the aggregate cannot be computed.
  public enum Reason: Hashable, Sendable {
    /// A sum of integers is larger than its type can hold.
    case overflow
    /// The limit or the offset of a fetch of groups is negative.
    case negativeLimit
  }

  public let reason: Reason
  /// The name of the entity whose models were aggregated.
  public let entity: String
  /// The names of the key paths involved: those of the sums for an overflow, those of the keys for a negative limit.
  public let properties: [String]
  private let message: String

  init(reason: Reason, entity: String, properties: [String], message: String) {
    self.reason = reason
    self.entity = entity
    self.properties = properties
    self.message = message
  }

  /// The entity, what happened, and the properties involved.
  public var description: String {
    properties.isEmpty ? "\(entity): \(message)" : "\(entity): \(message) (\(properties.joined(separator: ", ")))"
  }

  public var errorDescription: String? {
    description
  }
}

extension AggregateError {
  /// The error of a query with a sum that overflows.
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
