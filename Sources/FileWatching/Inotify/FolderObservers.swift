#if canImport(Glibc) || canImport(Musl)
  /// Who is to be told of what in the watched folders.
  ///
  /// The kernel gives all who watch a folder the same watch descriptor. A descriptor is needed here as long as there is a
  /// listener for it.
  struct FolderObservers<Observer: AnyObject> {
    /// A file in the folder that has a watch descriptor.
    struct Place: Hashable {
      var descriptor: Int32
      var name: [UInt8]
    }

    private var observers: [ObjectIdentifier: (observer: Observer, places: Set<Place>)] = [:]
    private var folders: [Int32: [[UInt8]: [ObjectIdentifier: Observer]]] = [:]

    /// All listeners, those too whose folders are gone.
    var all: [Observer] { observers.values.map(\.observer) }
    var isEmpty: Bool { observers.isEmpty }

    func needs(_ descriptor: Int32) -> Bool { folders[descriptor] != nil }

    mutating func add(_ observer: Observer, at places: some Sequence<Place>) {
      let places = Set(places)
      observers[ObjectIdentifier(observer)] = (observer, places)
      for place in places {
        folders[place.descriptor, default: [:]][place.name, default: [:]][ObjectIdentifier(observer)] = observer
      }
    }

    /// Forgets a listener, if it is known.
    ///
    /// - Returns: The descriptors that are not needed any more.
    mutating func remove(_ observer: Observer) -> Set<Int32> {
      guard let places = observers.removeValue(forKey: ObjectIdentifier(observer))?.places else { return [] }
      var unneeded: Set<Int32> = []
      for place in places {
        // Taken out while it is changed, so that its tables are not copied.
        guard var names = folders.removeValue(forKey: place.descriptor) else { continue }
        names[place.name]?[ObjectIdentifier(observer)] = nil
        if names[place.name]?.isEmpty == true { names[place.name] = nil }
        if names.isEmpty { unneeded.insert(place.descriptor) } else { folders[place.descriptor] = names }
      }
      return unneeded
    }

    /// The listeners that an event concerns. One that ends a watch makes the descriptor forgotten.
    mutating func receivers(of event: InotifyEvent) -> [Observer] {
      if event.isOverflow { return all }
      if event.endsWatch { folders[event.descriptor] = nil }
      guard let names = folders[event.descriptor] else { return [] }
      if event.concernsFolder { return names.values.flatMap(\.values) }
      return names[event.name].map { Array($0.values) } ?? []
    }
  }
#endif
