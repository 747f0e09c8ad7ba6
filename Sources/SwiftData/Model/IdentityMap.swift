/// The models of one entity tree that a context has registered, by key.
///
/// Keys lie in pages of consecutive ones, because rows come with consecutive keys: the page of the last key is at hand,
/// so that finding a model costs an index and no hash. Models are not retained here, they take themselves out when they
/// go away.
final class IdentityMap {
  /// The places of 256 consecutive keys. It is there while one of them is taken.
  ///
  /// Memory without a reference count: every row that is read asks for its page.
  struct Page {
    private struct Header {
      /// There for as long as the page: the graph has the map, and detaches its models before it ends.
      unowned(unsafe) let map: IdentityMap
      let number: Int64
      /// How many places are taken or reserved.
      var count = 0
      /// A bit for each place that a model is at.
      var taken: SIMD4<UInt64> = .zero
    }

    private struct Slot {
      /// There while the place is taken: the model's state gives the place back when the model goes away.
      unowned(unsafe) var model: any PersistentModel
    }

    private static let shift: Int64 = 8
    private static let mask: Int64 = (1 << shift) - 1

    /// The places, behind the header. Those that are not taken are never written, so that the memory of a page with few
    /// models is hardly touched.
    private let slots: UnsafeMutablePointer<Slot>

    /// `init` has put one there.
    private var header: UnsafeMutablePointer<Header> {
      (UnsafeMutableRawPointer(slots) - Self.headerSize).assumingMemoryBound(to: Header.self)
    }

    /// As much as keeps the places aligned.
    private static let headerSize = (MemoryLayout<Header>.size + 15) & ~15

    /// The number of the page that has the place of a key.
    static func number(_ key: Int64) -> Int64 {
      key >> shift
    }

    var number: Int64 { header.pointee.number }

    init(map: IdentityMap, number: Int64) {
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: Self.headerSize + (Int(Self.mask) + 1) * MemoryLayout<Slot>.stride, alignment: 16)
      memory.initializeMemory(as: Header.self, to: Header(map: map, number: number))
      slots = (memory + Self.headerSize).bindMemory(to: Slot.self, capacity: Int(Self.mask) + 1)
    }

    func model(_ key: Int64) -> (any PersistentModel)? {
      let index = Int(key & Self.mask)
      return isTaken(index) ? slots[index].model : nil
    }

    /// Keeps a place for a model that is about to be made; it has to be put there, or removed.
    func reserve() {
      header.pointee.count += 1
    }

    func place(_ model: any PersistentModel, _ key: Int64) {
      let index = Int(key & Self.mask)
      (slots + index).initialize(to: Slot(model: model))
      header.pointee.taken[index >> 6] |= Self.bit(index)
    }

    func remove(_ key: Int64) {
      let index = Int(key & Self.mask)
      header.pointee.taken[index >> 6] &= ~Self.bit(index)
      header.pointee.count -= 1
      guard header.pointee.count == 0 else { return }
      header.pointee.map.drop(self)
      UnsafeMutableRawPointer(header).deallocate()
    }

    private func isTaken(_ index: Int) -> Bool {
      header.pointee.taken[index >> 6] & Self.bit(index) != 0
    }

    private static func bit(_ index: Int) -> UInt64 {
      1 << UInt64(index & 63)
    }

    func appendModels(to models: inout [any PersistentModel]) {
      for index in 0...Int(Self.mask) where isTaken(index) { models.append(slots[index].model) }
    }

    #if DEBUG
      func brokenInvariants(_ map: IdentityMap) -> [String] {
        var broken: [String] = []
        func check(_ isTrue: Bool, _ rule: String) { if !isTrue { broken.append("Page \(number): \(rule)") } }
        let taken = (0...Int(Self.mask)).filter(isTaken)
        check(header.pointee.map === map, "it is of another map")
        check(header.pointee.count == taken.count, "it counts \(header.pointee.count) models and has \(taken.count)")
        check(!taken.isEmpty, "it is empty")
        for index in taken {
          slots[index].model._$withState { state in
            let key = number << Self.shift + Int64(index)
            check(state.key == key, "the model at \(key) has the key \(state.key)")
            check(state.status == .registered || state.status == .deleted, "the model at \(key) is \(state.status)")
            check(state.withBinding { $0.map === map } == true, "the model at \(key) knows another map")
          }
        }
        return broken
      }
    #endif
  }

  // Unchecked, because no access to these lasts into a call that comes back to the map.
  @exclusivity(unchecked) private var pages = PageTable()
  @exclusivity(unchecked) private var lastPage: Page?

  private func existingPage(_ key: Int64) -> Page? {
    let number = Page.number(key)
    if let lastPage, lastPage.number == number { return lastPage }
    guard let page = pages.page(number) else { return nil }
    lastPage = page
    return page
  }

  func model(_ key: Int64) -> (any PersistentModel)? {
    existingPage(key)?.model(key)
  }

  /// Registers `model` under `key`, which must be free.
  func insert(_ model: any PersistentModel, _ key: Int64) {
    let page = page(for: key)
    page.reserve()
    page.place(model, key)
  }

  /// Takes the model with `key` out.
  func remove(_ key: Int64) {
    existingPage(key)?.remove(key)
  }

  /// The page that has the place for `key`. Whoever has one made puts a model there.
  @inline(__always)
  func page(for key: Int64) -> Page {
    if let lastPage, lastPage.number == Page.number(key) { return lastPage }
    return findPage(for: key)
  }

  private func findPage(for key: Int64) -> Page {
    if let page = existingPage(key) { return page }
    let page = Page(map: self, number: Page.number(key))
    pages.insert(page)
    lastPage = page
    return page
  }

  fileprivate func drop(_ page: Page) {
    if lastPage?.number == page.number { lastPage = nil }
    pages.remove(page.number)
  }

  /// The registered models, in no order. They are retained for as long as the result is.
  var models: [any PersistentModel] {
    var models: [any PersistentModel] = []
    pages.visit { $0.appendModels(to: &models) }
    return models
  }
}

#if DEBUG
  extension IdentityMap {
    /// What is wrong with the map, if anything is.
    var brokenInvariants: [String] {
      var broken = pages.brokenInvariants
      pages.visit { broken += $0.brokenInvariants(self) }
      if let lastPage, pages.page(lastPage.number)?.isSame(as: lastPage) != true {
        broken.append("Identity map: the last page is none of the pages")
      }
      return broken
    }
  }

  extension IdentityMap.Page {
    fileprivate func isSame(as other: Self) -> Bool {
      slots == other.slots
    }
  }
#endif
