import Foundation

/// An error that ends the demo, in one line for the person who started it.
struct AtlasError: Error, CustomStringConvertible {
  let description: String

  /// What failed, followed by what the error that caused it says of itself.
  init(_ action: String, because error: any Error) {
    let explanation = error as? any LocalizedError
    let reasons = [explanation?.errorDescription ?? "\(error)", explanation?.recoverySuggestion].compactMap(\.self)
    description = ([action + ":"] + reasons).joined(separator: " ").replacing("\n", with: " ")
  }
}
