import Foundation

/// Whether a condition comes true, at once or in a moment.
func comesTrue(
  isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool
) async rethrows -> Bool {
  for _ in 0..<2000 {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return try condition()
}
