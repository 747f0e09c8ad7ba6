import Dispatch
import Foundation
import Support

/// Posts ``ModelContainer/remoteChange`` for the containers over the same open stores.
final class RemoteChanges: Sendable {
  private struct WeakContainer {
    weak var container: ModelContainer?
  }

  private struct State {
    var containers: [WeakContainer] = []
    /// The last transactions that were found and not posted yet, by the identifiers of their stores.
    var tokens: [String: any HistoryToken] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  // A separate queue, so that a slow handler of a notification does not delay the notices to contexts.
  private let queue = DispatchQueue(label: "RemoteChanges")

  func attach(_ container: ModelContainer) {
    state.withLock { state in
      state.containers.removeAll { $0.container == nil }
      state.containers.append(WeakContainer(container: container))
    }
  }

  /// Stops all posts.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Posts a notification soon. Transactions that are found until then are part of the same notification.
  ///
  /// - Parameters:
  ///   - token: The token of the last transaction that another process or container has committed to a store.
  ///   - core: The core that the containers share.
  func record(_ token: any HistoryToken, of store: String, _ core: ContainerCore) {
    let isFirst = state.withLock { state in
      defer { state.tokens[store] = token }
      return state.tokens.isEmpty
    }
    guard isFirst else { return }
    queue.async { [weak core] in
      if let core { self.post(core) }
    }
  }

  private func post(_ core: ContainerCore) {
    let (held, tokens, isClosed) = state.withLock { state in
      defer { state.tokens = [:] }
      return (state.containers.compactMap(\.container), state.tokens, state.isClosed)
    }
    if isClosed { return }
    let key = ModelContext.NotificationKey.historyTokens
    let userInfo: [AnyHashable: Any] = [key: tokens, key.rawValue: tokens]
    // The program may retain the main context only, and have released the container.
    let containers = held.isEmpty ? [ModelContainer(core: core)] : held
    for container in containers {
      NotificationCenter.default.post(name: ModelContainer.remoteChange, object: container, userInfo: userInfo)
    }
  }
}
