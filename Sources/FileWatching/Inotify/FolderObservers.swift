#if canImport(Glibc) || canImport(Musl)
  /// The observers of files in the watched folders.
  ///
  /// The kernel gives all observers of a folder the same watch descriptor. A descriptor is needed as long as it has an
  /// observer.
  struct FolderObservers<Observer: AnyObject> {
    /// A file in the folder that has a watch descriptor.
    struct Place: Hashable {
      var descriptor: Int32
      var name: [UInt8]
    }

    private var observers: [ObjectIdentifier: (observer: Observer, places: Set<Place>)] = [:]
    private var folders: [Int32: [[UInt8]: [ObjectIdentifier: Observer]]] = [:]

    /// All observers, including those of removed folders.
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

    /// Removes an observer, if it is known.
    ///
    /// - Returns: The descriptors that are not needed any more.
    mutating func remove(_ observer: Observer) -> Set<Int32> {
      guard let places = observers.removeValue(forKey: ObjectIdentifier(observer))?.places else { return [] }
      var unneeded: Set<Int32> = []
      for place in places {
        // Removed while it is changed, so that its tables are not copied.
        guard var names = folders.removeValue(forKey: place.descriptor) else { continue }
        names[place.name]?[ObjectIdentifier(observer)] = nil
        if names[place.name]?.isEmpty == true { names[place.name] = nil }
        if names.isEmpty { unneeded.insert(place.descriptor) } else { folders[place.descriptor] = names }
      }
      return unneeded
    }

    /// The observers of an event. An event that ends a watch removes its descriptor.
    mutating func receivers(of event: InotifyEvent) -> [Observer] {
      if event.isOverflow { return all }
      if event.endsWatch { folders[event.descriptor] = nil }
      guard let names = folders[event.descriptor] else { return [] }
      if event.concernsFolder { return names.values.flatMap(\.values) }
      return names[event.name].map { Array($0.values) } ?? []
    }
  }
#endif
