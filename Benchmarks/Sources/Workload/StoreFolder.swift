package import Foundation

/// Where the files of a run are.
package struct StoreFolder: Codable, Sendable {
  package let url: URL

  package init(url: URL) {
    self.url = url
  }

  /// The store with all owners and all items, which nobody changes.
  package var items: URL {
    file("items")
  }

  /// The store with all owners and no items, which nobody changes.
  package var owners: URL {
    file("owners")
  }

  /// The store with all orders, which nobody changes.
  package var orders: URL {
    file("orders")
  }

  /// The store with two tables of the same names, one with an index, which nobody changes.
  package var names: URL {
    file("names")
  }

  /// The store with a million items, which nobody changes.
  package var manyItems: URL {
    file("many items")
  }

  /// The store with the names of all items, which are searched, and which nobody changes.
  package var texts: URL {
    file("texts")
  }

  /// The same names with an index for searches, which nobody changes.
  package var indexedTexts: URL {
    file("indexed texts")
  }

  /// The store with a history of a million transactions, which nobody changes.
  package var manyTransactions: URL {
    file("many transactions")
  }

  /// Another store.
  package func file(_ name: String) -> URL {
    url.appending(path: "\(name).store")
  }

  /// A copy of `store` for `peer` to change.
  package func copy(of store: URL, for peer: any Peer.Type) -> StoreCopy {
    StoreCopy(of: store, at: file("copy for \(peer.name)"))
  }
}
