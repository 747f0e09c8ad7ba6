/// A weak reference to a graph, for sending it to the isolation or queue that uses it.
struct UncheckedReference: @unchecked Sendable {
  weak var graph: ObjectGraph?
}
