package import Foundation

/// What one repetition left behind to check.
package enum Outcome {
  /// Nothing but the number that it returned.
  case nothing
  /// Items, of which this is the digest.
  case objects(Digest)
  /// Orders, of which this is the digest.
  case orders(OrderDigest)
  /// A store with items.
  case store(URL)
}
