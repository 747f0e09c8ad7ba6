/// What numbers mean.
package enum Unit: String, Sendable {
  case milliseconds = "ms"
  case megabytes = "MB"
}
