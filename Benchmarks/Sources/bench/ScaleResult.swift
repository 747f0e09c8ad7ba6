/// The costs of one step with a large store.
struct ScaleResult: Codable {
  /// Processor time.
  let seconds: Double
  /// Elapsed time, including waiting for the disk.
  let elapsedSeconds: Double
  /// The peak memory of the process in megabytes, including the memory before the step.
  let peakMemory: Double
}
