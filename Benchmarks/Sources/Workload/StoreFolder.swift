package import Foundation

/// The folder with the files of a run.
package struct StoreFolder: Codable, Sendable {
  package let url: URL

  package init(url: URL) {
    self.url = url
  }

  /// The store with all owners and all items. It is never changed.
  package var items: URL {
    file("items")
  }

  /// The store with all owners and no items. It is never changed.
  package var owners: URL {
    file("owners")
  }

  /// The store with all orders. It is never changed.
  package var orders: URL {
    file("orders")
  }

  /// The store with two tables of the same names, one with an index. It is never changed.
  package var names: URL {
    file("names")
  }

  /// The store with a million items. It is never changed.
  package var manyItems: URL {
    file("many items")
  }

  /// The store with the names of all items, for searches. It is never changed.
  package var texts: URL {
    file("texts")
  }

  /// The store with the same names and a search index. It is never changed.
  package var indexedTexts: URL {
    file("indexed texts")
  }

  /// The store with a history of a million transactions. It is never changed.
  package var manyTransactions: URL {
    file("many transactions")
  }

  /// The path of another store.
  package func file(_ name: String) -> URL {
    url.appending(path: "\(name).store")
  }

  /// A copy of `store` for `peer`'s changes.
  package func copy(of store: URL, for peer: any Peer.Type) -> StoreCopy {
    StoreCopy(of: store, at: file("copy for \(peer.name)"))
  }
}
