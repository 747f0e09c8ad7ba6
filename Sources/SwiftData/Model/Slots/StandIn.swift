/// Takes the place of a model in storage that must not hold it.
final class StandIn {
  private let model: UncountedReference<AnyObject>
  let identity: ObjectIdentifier
  /// The object that has taken the model's place when it went away.
  private var successor: (any PersistentModel)?
  private var isGone = false
  let key: Int64

  init(_ model: Unmanaged<AnyObject>) {
    (self.model, identity, key) = model._withUnsafeGuaranteedRef {
      (UncountedReference($0), ObjectIdentifier($0), ($0 as? any PersistentModel)?._$withState { $0.key } ?? 0)
    }
  }

  func standsFor(_ other: ObjectIdentifier) -> Bool {
    other == identity
  }

  /// The model, or its successor if there is one; nil while it is going away.
  var represented: AnyObject? {
    isGone ? successor : model.object
  }

  func become(_ successor: (any PersistentModel)?) {
    isGone = true
    self.successor = successor
  }
}
