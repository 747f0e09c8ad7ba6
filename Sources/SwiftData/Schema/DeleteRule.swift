extension Schema.Relationship {
  /// The effect of the deletion of a relationship's owner on the models on the other side.
  public enum DeleteRule: String, Codable, Sendable {
    /// Nothing happens to the related models.
    ///
    /// Other contexts read a reference to the deleted owner as `nil`.
    case noAction
    /// The related models stay, and their references to the owner are removed.
    case nullify
    /// The related models are deleted too.
    case cascade
    /// The owner cannot be deleted while there are related models: the save throws.
    case deny
  }

  /// An option of a relationship.
  public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
    private enum Kind: String, Codable {
      case unique
    }

    private let kind: Kind

    /// No two models refer to the same model.
    ///
    /// Only a to-one relationship can have this option.
    public static var unique: Option { Option(kind: .unique) }

    /// The option as source code spells it.
    public var debugDescription: String { kind.rawValue }
  }
}
