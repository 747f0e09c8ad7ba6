/// What a model leaves in its graph when it goes away.
struct Remains {
  /// The graph outlives the model as far as that is its own, and has its bindings for as long.
  let binding: Unmanaged<EntityBinding>
  let key: Int64
  /// Whether the identity map has the model.
  let isMapped: Bool
  let group: Unmanaged<FetchGroup>?
  let heirdom: Heirdom
}

/// Whether a graph lives for as long as a model does.
@usableFromInline
enum Heirdom: UInt8 {
  case none
  case heir
  /// The only heir, which has unsaved changes.
  case last
}
