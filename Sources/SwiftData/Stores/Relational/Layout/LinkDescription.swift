/// Descriptions of how links are stored, for errors and for the layout that a store records.
enum LinkDescription {
  static let reference = "a to-one with a column of its own"
  static let ownInverse = "a to-one that is its own inverse"
  static let inverseReference = "a to-one with a column at its target"
  static let referencedMembers = "a to-many of one owner"
  static let joinedMembers = "a to-many of several owners"

  /// Whether links of one kind can be used as another without a change: each of two models has a column for a to-one that is
  /// its own inverse, as for a one-way relationship.
  static func areFound(_ previous: String, in present: String) -> Bool {
    previous == present || Set([previous, present]) == [reference, ownInverse]
  }
}

extension PropertyLayout.Storage {
  /// Nil if the property is no relationship.
  var linkDescription: String? {
    switch self {
    case .attribute, .ephemeral: nil
    case .reference: LinkDescription.reference
    case .inverseReference: LinkDescription.inverseReference
    case .referencedMembers: LinkDescription.referencedMembers
    case .joinedMembers: LinkDescription.joinedMembers
    }
  }
}
