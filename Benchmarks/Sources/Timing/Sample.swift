/// One timed repetition.
struct Sample {
  let seconds: Double
  /// The slower of the two calibrations around the repetition: the higher, the busier the machine was.
  let unrest: Double
}
