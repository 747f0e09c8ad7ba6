internal import CShims

/// The models of one entity tree that a context has registered, by key.
///
/// Keys lie in pages of consecutive ones, because rows come with consecutive keys: the page of the last key is at hand,
/// so that finding a model costs an index and no hash. Models are not retained here, and are taken out when they go
/// away.
///
/// A model may go away on any thread, and leave its place later: see `ExclusiveAccess`. One that does counts as absent at
/// once, and another may be made for its row and take its place. So there can be several models of one key that are not
/// buried, of which the one that came last has the place; the others are *displaced*.
final class IdentityMap {
  /// The places of 32 consecutive keys. It is there while one of them is taken, and for a while after that.
  ///
  /// Memory without a reference count: every row that is read asks for its page. It is small, because rows that come in
  /// the order of something else than their keys each have a page of their own.
  struct Page {
    private struct Header {
      /// There for as long as the page: the graph has the map, and detaches its models before it ends.
      unowned(unsafe) let map: IdentityMap
      let number: Int64
      /// How many models are here that are not buried, the displaced and those that a place is reserved for among them.
      var count = 0
      /// Whether the map will look whether the page is empty.
      var isSpare = false
      /// A bit for each place that a model is at.
      var taken: UInt32 = 0
    }

    private struct Slot {
      /// Not retained. Its memory is, by an unowned reference that is counted by hand.
      unowned(unsafe) var model: any PersistentModel

      /// Where the model is.
      static func object(in slot: UnsafeMutablePointer<Slot>) -> UnsafeMutableRawPointer {
        // What refers to an object of some class begins with its address, with a table for the protocol behind it.
        UnsafeRawPointer(slot).load(as: UnsafeMutableRawPointer.self)
      }

      /// The model, unless it is going away.
      @inline(__always)
      static func living(in slot: UnsafeMutablePointer<Slot>) -> (any PersistentModel)? {
        guard swift_tryRetain(object(in: slot)) != nil else { return nil }
        // A reference that is not counted looks like one that is. The count that was just added goes to the result.
        return UnsafeMutableRawPointer(slot).assumingMemoryBound(to: (any PersistentModel).self).move()
      }
    }

    private static let shift: Int64 = 5
    private static let mask: Int64 = (1 << shift) - 1

    /// The places, behind the header. Those that are not taken are never written, so that the memory of a page with few
    /// models is hardly touched.
    private let slots: UnsafeMutablePointer<Slot>

    /// `init` has put one there.
    private var header: UnsafeMutablePointer<Header> {
      (UnsafeMutableRawPointer(slots) - Self.headerSize).assumingMemoryBound(to: Header.self)
    }

    /// Rounded up, so that the places are aligned.
    private static let headerSize = (MemoryLayout<Header>.size + 15) & ~15

    /// The number of the page that has the place of a key.
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

    /// The model with a key, unless it is going away.
    @inline(__always)
    func model(_ key: Int64) -> (any PersistentModel)? {
      let index = Int(key & Self.mask)
      return isTaken(index) ? Slot.living(in: slots + index) : nil
    }

    /// Keeps a place for a model that is about to be made; it has to be put there, or removed.
    func reserve() {
      if header.pointee.count == 0 { header.pointee.map.usedCount += 1 }
      header.pointee.count += 1
    }

    /// - Parameter isNew: Whether no other thread can know the model yet.
    /// - Returns: The model that has the place and does not go away: the other has none then.
    @inline(__always)
    func place(_ model: any PersistentModel, _ key: Int64, isNew: Bool) -> (any PersistentModel)? {
      let index = Int(key & Self.mask)
      if isTaken(index), let other = holder(key) { return other }
      (slots + index).initialize(to: Slot(model: model))
      let object = Slot.object(in: slots + index)
      _ = isNew ? swift_nonatomic_unownedRetain(object) : swift_unownedRetain(object)
      header.pointee.taken |= Self.bit(index)
      return nil
    }

    /// The model that has a place, from which it is taken if it is going away.
    private func holder(_ key: Int64) -> (any PersistentModel)? {
      if let model = Slot.living(in: slots + Int(key & Self.mask)) { return model }
      header.pointee.map.displacedCounts[key, default: 0] += 1
      swift_unownedRelease(Slot.object(in: slots + Int(key & Self.mask)))
      return nil
    }

    /// Gives a place back that a model has, or that is reserved for one.
    @inline(__always)
    func vacate(_ key: Int64) {
      let index = Int(key & Self.mask)
      if isTaken(index) {
        header.pointee.taken &= ~Self.bit(index)
        swift_unownedRelease(Slot.object(in: slots + index))
      }
      endOne()
    }

    /// A model is here no more.
    @inline(__always)
    func endOne() {
      header.pointee.count -= 1
      if header.pointee.count == 0 { header.pointee.map.recordEmpty(self) }
    }

    /// Has the map look whether the page is empty, unless it will do so anyway.
    ///
    /// - Returns: Whether it would not have.
    fileprivate func becomeSpare() -> Bool {
      defer { header.pointee.isSpare = true }
      return !header.pointee.isSpare
    }

    /// The map does not look at the page any more, because it is in use.
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
        check(count > 0 || header.pointee.isSpare, "it is empty, and nobody will look")
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

  // Unchecked, because no access to these lasts into a call that comes back to the map.
  @exclusivity(unchecked) private var pages = PageTable()
  @exclusivity(unchecked) private var lastPage: Page?
  /// Pages that were empty when they came here, and may be in use again: whoever fetches the same rows once more finds
  /// their places. Each is here once.
  @exclusivity(unchecked) private var spares: [Page] = []
  private static let spareLimit = 64
  /// How many pages are not empty.
  @exclusivity(unchecked) fileprivate(set) var usedCount = 0
  let unsaved = UnsavedSummary()
  /// How many models of a key are not buried yet and have lost their place, or will find that another has it.
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

  /// The model with a key, unless there is none or it is going away.
  func model(_ key: Int64) -> (any PersistentModel)? {
    checkAccess()
    return existingPage(key)?.model(key)
  }

  /// Registers `model` under `key`, which must be free.
  func insert(_ model: any PersistentModel, _ key: Int64) {
    let page = page(for: key)
    page.reserve()
    if page.place(model, key, isNew: false) == nil { return }
    // Whoever saved it has asked who has the row, and nobody has run since who could have made another.
    page.endOne()
    assertionFailure("a row has a model already")
  }

  /// Takes out the model with `key`, which leaves the context.
  func remove(_ key: Int64) {
    checkAccess()
    existingPage(key)?.vacate(key)
  }

  /// A model with `key` has gone away. Which of several does not matter: the last of them takes the place along.
  @inline(__always)
  func release(_ key: Int64) {
    checkAccess()
    guard let page = existingPage(key) else { return }
    guard !displacedCounts.isEmpty, let count = displacedCounts[key] else { return page.vacate(key) }
    displacedCounts[key] = count > 1 ? count - 1 : nil
    page.endOne()
  }

  /// Whether no model is here, not even one that is going away.
  var isEmpty: Bool { usedCount == 0 }

  @inline(__always)
  private func checkAccess() {
    #if DEBUG
      assert(isMine(), "an identity map was used outside of a call")
    #endif
  }

  /// The page that has the place for `key`. Whoever has one made puts a model there, and whoever has one keeps a place
  /// there before anything else: an empty page may go away when another one becomes empty.
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

  /// Gives the memory of all pages back that are empty.
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

  /// The registered models, in no order. They are retained for as long as the result is.
  var models: [any PersistentModel] {
    checkAccess()
    var models: [any PersistentModel] = []
    pages.visit { $0.appendModels(to: &models) }
    return models
  }
}

#if DEBUG
  extension IdentityMap {
    /// How many models are here, those that are going away among them.
    var count: Int {
      var count = 0
      pages.visit { count += $0.count }
      return count
    }

    /// How many pages there are, those without a model among them.
    var pageCount: Int {
      var count = 0
      pages.visit { _ in count += 1 }
      return count
    }

    /// What is wrong with the map, if anything is.
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
