internal import CShims

/// The registered models of one entity tree in a context, by key.
///
/// Keys are grouped in pages of consecutive keys, because fetched rows usually have consecutive keys: the last page is
/// cached, so that a look-up is an index and not a hash. The map does not retain models; a model removes itself when it is
/// deinitialized.
///
/// A model may be released on any thread and removed from its slot later: see `ExclusiveAccess`. A released model counts as
/// absent at once, and a new model may be made for its row and take its slot. So several models of one key can await
/// removal; only the last one has the slot, and the others are *displaced*.
final class IdentityMap {
  /// The slots of 32 consecutive keys. A page exists while one of them is taken, and for some time afterwards.
  ///
  /// It is memory without a reference count, because each row that is read looks up its page. It is small, because rows
  /// that are not read in the order of their keys need a page each.
  struct Page {
    private struct Header {
      /// Valid as long as the page: the graph retains the map, and detaches its models before it is deinitialized.
      unowned(unsafe) let map: IdentityMap
      let number: Int64
      /// The number of models that are not removed, including displaced ones and reserved slots.
      var count = 0
      /// Whether the page is in the map's list of spare pages.
      var isSpare = false
      /// A bit for each slot that has a model.
      var taken: UInt32 = 0
    }

    private struct Slot {
      /// Not retained. The object's memory is kept by an unowned reference that is counted by hand.
      unowned(unsafe) var model: any PersistentModel

      /// The address of the model's object.
      static func object(in slot: UnsafeMutablePointer<Slot>) -> UnsafeMutableRawPointer {
        // An existential of a class begins with the address of the object, followed by a witness table.
        UnsafeRawPointer(slot).load(as: UnsafeMutableRawPointer.self)
      }

      /// The model, unless it is being deinitialized.
      @inline(__always)
      static func living(in slot: UnsafeMutablePointer<Slot>) -> (any PersistentModel)? {
        guard swift_tryRetain(object(in: slot)) != nil else { return nil }
        // An unmanaged reference has the same layout as a strong one. The result takes over the retain of
        // `swift_tryRetain`.
        return UnsafeMutableRawPointer(slot).assumingMemoryBound(to: (any PersistentModel).self).move()
      }
    }

    private static let shift: Int64 = 5
    private static let mask: Int64 = (1 << shift) - 1

    /// The slots, behind the header. Empty slots are never written, so that a page with few models uses little resident
    /// memory.
    private let slots: UnsafeMutablePointer<Slot>

    /// The header that `init` has written.
    private var header: UnsafeMutablePointer<Header> {
      (UnsafeMutableRawPointer(slots) - Self.headerSize).assumingMemoryBound(to: Header.self)
    }

    /// Rounded up for the alignment of the slots.
    private static let headerSize = (MemoryLayout<Header>.size + 15) & ~15

    /// The number of the page with the slot of a key.
    static func number(_ key: Int64) -> Int64 {
      key >> shift
    }

    var number: Int64 { header.pointee.number }

    var count: Int { header.pointee.count }

    init(map: IdentityMap, number: Int64) {
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: Self.headerSize + (Int(Self.mask) + 1) * MemoryLayout<Slot>.stride, alignment: 16)
      memory.initializeMemory(as: Header.self, to: Header(map: map, number: number))
      slots = (memory + Self.headerSize).bindMemory(to: Slot.self, capacity: Int(Self.mask) + 1)
    }

    /// The model with a key, unless it is being deinitialized.
    @inline(__always)
    func model(_ key: Int64) -> (any PersistentModel)? {
      let index = Int(key & Self.mask)
      return isTaken(index) ? Slot.living(in: slots + index) : nil
    }

    /// Reserves a slot for a model that is about to be made; the slot has to be filled or vacated.
    func reserve() {
      if header.pointee.count == 0 { header.pointee.map.usedCount += 1 }
      header.pointee.count += 1
    }

    /// - Parameter isNew: Whether no other thread can refer to the model yet.
    /// - Returns: The living model that has the slot already; `model` is not stored then.
    @inline(__always)
    func register(_ model: any PersistentModel, _ key: Int64, isNew: Bool) -> (any PersistentModel)? {
      let index = Int(key & Self.mask)
      if isTaken(index), let other = holder(key) { return other }
      (slots + index).initialize(to: Slot(model: model))
      let object = Slot.object(in: slots + index)
      _ = isNew ? swift_nonatomic_unownedRetain(object) : swift_unownedRetain(object)
      header.pointee.taken |= Self.bit(index)
      return nil
    }

    /// The living model in a slot. A model that is being deinitialized is displaced from it.
    private func holder(_ key: Int64) -> (any PersistentModel)? {
      if let model = Slot.living(in: slots + Int(key & Self.mask)) { return model }
      header.pointee.map.displacedCounts[key, default: 0] += 1
      swift_unownedRelease(Slot.object(in: slots + Int(key & Self.mask)))
      return nil
    }

    /// Vacates a slot that has a model or is reserved.
    @inline(__always)
    func vacate(_ key: Int64) {
      let index = Int(key & Self.mask)
      if isTaken(index) {
        header.pointee.taken &= ~Self.bit(index)
        swift_unownedRelease(Slot.object(in: slots + index))
      }
      endOne()
    }

    /// Counts one model less.
    @inline(__always)
    func endOne() {
      header.pointee.count -= 1
      if header.pointee.count == 0 { header.pointee.map.recordEmpty(self) }
    }

    /// Marks the page as spare.
    ///
    /// - Returns: Whether it was not marked before.
    fileprivate func becomeSpare() -> Bool {
      defer { header.pointee.isSpare = true }
      return !header.pointee.isSpare
    }

    /// Unmarks the page, because it has models.
    fileprivate func becomeUsed() {
      header.pointee.isSpare = false
    }

    fileprivate func deallocate() {
      UnsafeMutableRawPointer(header).deallocate()
    }

    @inline(__always)
    private func isTaken(_ index: Int) -> Bool {
      header.pointee.taken & Self.bit(index) != 0
    }

    @inline(__always)
    private static func bit(_ index: Int) -> UInt32 {
      1 << UInt32(truncatingIfNeeded: index)
    }

    func appendModels(to models: inout [any PersistentModel]) {
      for index in 0...Int(Self.mask) where isTaken(index) {
        if let model = Slot.living(in: slots + index) { models.append(model) }
      }
    }

    #if DEBUG
      func brokenInvariants(_ map: IdentityMap) -> [String] {
        var broken: [String] = []
        func check(_ isTrue: Bool, _ rule: String) { if !isTrue { broken.append("Page \(number): \(rule)") } }
        let taken = (0...Int(Self.mask)).filter(isTaken)
        check(header.pointee.map === map, "it is of another map")
        let displaced = map.displacedCounts.reduce(0) { Self.number($1.key) == number ? $0 + $1.value : $0 }
        let count = taken.count + displaced
        check(header.pointee.count == count, "it counts \(header.pointee.count) models and has \(count)")
        check(count > 0 || header.pointee.isSpare, "it is empty, and not in the list of spare pages")
        for index in taken {
          Slot.living(in: slots + index)?._$withState { state in
            let key = number << Self.shift + Int64(index)
            check(state.key == key, "the model at \(key) has the key \(state.key)")
            check(state.status == .persistent || state.status == .deleted, "the model at \(key) is \(state.status)")
            check(state.withBinding { $0.map === map } == true, "the model at \(key) knows another map")
          }
        }
        return broken
      }
    #endif
  }

  // Unchecked, because no access to these properties lasts while other code uses the map.
  @exclusivity(unchecked) private var pages = PageTable()
  @exclusivity(unchecked) private var lastPage: Page?
  /// Pages that were empty when they were added, and may have models again: a repeated fetch finds its pages. Each is in
  /// the list once.
  @exclusivity(unchecked) private var spares: [Page] = []
  private static let spareLimit = 64
  /// The number of pages with models.
  @exclusivity(unchecked) fileprivate(set) var usedCount = 0
  let unsaved = UnsavedSummary()
  /// The number of released models of a key that have lost their slot and are not removed yet.
  @exclusivity(unchecked) fileprivate var displacedCounts: [Int64: Int] = [:]
  #if DEBUG
    /// Whether the current thread may use the map.
    @exclusivity(unchecked) var isMine: () -> Bool = { true }
  #endif

  @inline(__always)
  private func existingPage(_ key: Int64) -> Page? {
    if let lastPage, lastPage.number == Page.number(key) { return lastPage }
    return findExistingPage(key)
  }

  private func findExistingPage(_ key: Int64) -> Page? {
    guard let page = pages.page(Page.number(key)) else { return nil }
    lastPage = page
    return page
  }

  /// The model with a key; nil if there is none or it is being deinitialized.
  func model(_ key: Int64) -> (any PersistentModel)? {
    checkAccess()
    return existingPage(key)?.model(key)
  }

  /// Registers `model` under `key`, which must be free.
  func insert(_ model: any PersistentModel, _ key: Int64) {
    let page = page(for: key)
    page.reserve()
    if page.register(model, key, isNew: false) == nil { return }
    // The save has checked that the row has no registered model, and no code has run since that could have registered one.
    page.endOne()
    assertionFailure("a row has a model already")
  }

  /// Removes the model with `key`, which leaves the context.
  func remove(_ key: Int64) {
    checkAccess()
    existingPage(key)?.vacate(key)
  }

  /// Removes a released model with `key`. If there are several, the order does not matter: the last release vacates the
  /// slot.
  @inline(__always)
  func release(_ key: Int64) {
    checkAccess()
    guard let page = existingPage(key) else { return }
    guard !displacedCounts.isEmpty, let count = displacedCounts[key] else { return page.vacate(key) }
    displacedCounts[key] = count > 1 ? count - 1 : nil
    page.endOne()
  }

  /// Whether the map has no model, not even a released one.
  var isEmpty: Bool { usedCount == 0 }

  @inline(__always)
  private func checkAccess() {
    #if DEBUG
      assert(isMine(), "an identity map was used outside of a call")
    #endif
  }

  /// The page with the slot for `key`. The caller stores or reserves a model there before anything else: an empty page may
  /// be freed when another page becomes empty.
  @inline(__always)
  func page(for key: Int64) -> Page {
    checkAccess()
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

  fileprivate func recordEmpty(_ page: Page) {
    usedCount -= 1
    guard page.becomeSpare() else { return }
    spares.append(page)
    if spares.count > Self.spareLimit { dropSpares() }
  }

  /// Frees all empty spare pages.
  private func dropSpares() {
    lastPage = nil
    for page in spares {
      if page.count > 0 {
        page.becomeUsed()
      } else {
        pages.remove(page.number)
        page.deallocate()
      }
    }
    spares.removeAll(keepingCapacity: true)
  }

  deinit {
    pages.visit { $0.deallocate() }
  }

  /// The registered models, in no order. The result retains them.
  var models: [any PersistentModel] {
    checkAccess()
    var models: [any PersistentModel] = []
    pages.visit { $0.appendModels(to: &models) }
    return models
  }
}

#if DEBUG
  extension IdentityMap {
    /// The number of models, including released ones.
    var count: Int {
      var count = 0
      pages.visit { count += $0.count }
      return count
    }

    /// The number of pages, including empty ones.
    var pageCount: Int {
      var count = 0
      pages.visit { _ in count += 1 }
      return count
    }

    /// Descriptions of violated invariants.
    var brokenInvariants: [String] {
      var broken = pages.brokenInvariants
      pages.visit { broken += $0.brokenInvariants(self) }
      var used = 0
      pages.visit { if $0.count > 0 { used += 1 } }
      if used != usedCount { broken.append("Identity map: \(used) pages are in use, not \(usedCount)") }
      if displacedCounts.values.contains(where: { $0 < 1 }) { broken.append("Identity map: nothing is displaced") }
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
