/// What a model leaves in its graph when it goes away.
struct ReleasedModel {
  /// The graph outlives the model as far as that is its own, and has its bindings for as long.
  let binding: Unmanaged<EntityBinding>
  let key: Int64
  let group: Unmanaged<FetchGroup>?
  /// Whether it has unsaved changes.
  let isChanged: Bool
}
