extension RelationalStore: Store {
  func makeSession(for editingState: EditingState) -> any StoreSession {
    RelationalSession(store: self)
  }
}
