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
    /// The last transactions that were found, by the identifiers of their stores, of which nobody was told yet.
    var tokens: [String: any HistoryToken] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  // A queue of its own, so that contexts hear of the next commits however long somebody handles a notification.
  private let queue = DispatchQueue(label: "RemoteChanges")

  func attach(_ container: ModelContainer) {
    state.withLock { state in
      state.containers.removeAll { $0.container == nil }
      state.containers.append(WeakContainer(container: container))
    }
  }

  /// Has nothing posted any more.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Posts soon. What is found until then is a part of the same notification.
  ///
  /// - Parameters:
  ///   - token: The place of the last transaction that others have committed to a store.
  ///   - core: That of the containers.
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
    // A program may have let go of the container, and hold its main context.
    let containers = held.isEmpty ? [ModelContainer(core: core)] : held
    for container in containers {
      NotificationCenter.default.post(name: ModelContainer.remoteChange, object: container, userInfo: userInfo)
    }
  }
}
