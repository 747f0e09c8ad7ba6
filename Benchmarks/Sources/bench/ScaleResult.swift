/// What one step at a large store took.
struct ScaleResult: Codable {
  /// Of processor time.
  let seconds: Double
  /// From beginning to end, waiting for the disk included.
  let elapsedSeconds: Double
  /// The most that the process held, in megabytes: what it held before the step, and what the step added.
  let peakMemory: Double
}
