package import Foundation

/// Where the files of a run are.
package struct StoreFolder: Codable, Sendable {
  package let url: URL

  package init(url: URL) {
    self.url = url
  }

  /// The store with all owners and all items, which nobody changes.
  package var items: URL {
    url.appending(path: "items.store")
  }

  /// The store with all owners and no items, which nobody changes.
  package var owners: URL {
    url.appending(path: "owners.store")
  }

  /// A copy of `store` for `peer` to change.
  package func copy(of store: URL, for peer: any Peer.Type) -> StoreCopy {
    StoreCopy(of: store, at: url.appending(path: "copy for \(peer.name).store"))
  }
}
