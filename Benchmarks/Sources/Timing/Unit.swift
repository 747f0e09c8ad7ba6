/// The unit of a measurement.
package enum Unit: String, Sendable {
  case milliseconds = "ms"
  case microseconds = "µs"
  case megabytes = "MB"
  case bytes
  case none = ""
}
