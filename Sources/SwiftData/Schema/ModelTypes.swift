import Support

/// The model classes of all schemas, by their names: several versions of a schema have types of the same name.
enum ModelTypes {
  private static let types = Mutex<[String: [any PersistentModel.Type]]>([:])

  /// Registers a type of a schema.
  static func register(_ type: any PersistentModel.Type, named name: String) {
    types.withLock { types in
      types[name, default: []].removeAll { $0 == type }
      types[name, default: []].insert(type, at: 0)
    }
  }

  /// The types with a name, the last registered one first.
  static func named(_ name: String) -> [any PersistentModel.Type] {
    types.withLock { $0[name] ?? [] }
  }
}
