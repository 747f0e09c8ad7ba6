extension Schema.Relationship {
  /// What happens to the models on the other side of a relationship when its owner is deleted.
  public enum DeleteRule: String, Codable, Sendable {
    /// Nothing: whatever referred to the owner still does.
    case noAction
    /// They forget the owner.
    case nullify
    /// They are deleted, too.
    case cascade
    /// As long as there are any, the owner cannot be deleted.
    case deny
  }

  /// What holds for a relationship.
  public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
    private enum Kind: String, Codable {
      case unique
    }

    private let kind: Kind

    /// No two models refer to the same one. A relationship to one model only can have it.
    public static var unique: Option { Option(kind: .unique) }

    /// The option as source code spells it.
    public var debugDescription: String { kind.rawValue }
  }
}
