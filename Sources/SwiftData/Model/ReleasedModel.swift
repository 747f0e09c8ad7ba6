/// What a released model leaves to its graph.
struct ReleasedModel {
  /// The graph outlives the models that belong to it, and retains its bindings.
  let binding: Unmanaged<EntityBinding>
  let key: Int64
  let group: Unmanaged<FetchGroup>?
  /// Whether the model has unsaved changes.
  let isChanged: Bool
}
