import Timing

/// The activity of an idle process.
struct IdleResult: Encodable {
  let name: String
  let activity: Activity
}
