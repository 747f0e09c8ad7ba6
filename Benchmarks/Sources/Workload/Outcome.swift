package import Foundation

/// The result of one repetition, to be checked.
package enum Outcome {
  /// Only the returned number.
  case nothing
  /// The digest of items.
  case objects(Digest)
  /// The digest of orders.
  case orders(OrderDigest)
  /// A store with items.
  case store(URL)
}
