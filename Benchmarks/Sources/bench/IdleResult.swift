import Timing

/// What a process did that had nothing to do.
struct IdleResult: Encodable {
  let name: String
  let activity: Activity
}
