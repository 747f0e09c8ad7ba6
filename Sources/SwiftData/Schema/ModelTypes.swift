import Support

/// The model classes that are in schemas, by their names: several versions of a schema have types of one name.
enum ModelTypes {
  private static let types = Mutex<[String: [any PersistentModel.Type]]>([:])

  /// A schema has `type`.
  static func register(_ type: any PersistentModel.Type, named name: String) {
    types.withLock { types in
      types[name, default: []].removeAll { $0 == type }
      types[name, default: []].insert(type, at: 0)
    }
  }

  /// The types of a name, the last one that joined a schema first.
  static func named(_ name: String) -> [any PersistentModel.Type] {
    types.withLock { $0[name] ?? [] }
  }
}
