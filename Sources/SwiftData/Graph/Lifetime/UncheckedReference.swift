/// Carries the main context to the main queue, which is its isolation, or one that went away to where it is looked
/// after.
struct UncheckedReference: @unchecked Sendable {
  weak var graph: ObjectGraph?
}
