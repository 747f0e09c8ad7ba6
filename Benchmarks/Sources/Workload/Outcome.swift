package import Foundation

/// What one repetition left behind to check.
package enum Outcome {
  /// Nothing but the number that it returned.
  case nothing
  /// Items, of which this is the digest.
  case objects(Digest)
  /// A store with items.
  case store(URL)
}
