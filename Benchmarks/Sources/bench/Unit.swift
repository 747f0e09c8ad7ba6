/// What the numbers of a row mean.
enum Unit: String {
  case milliseconds = "ms"
  case megabytes = "MB"
}
