/// The models of one entity tree that a context has registered, by key.
///
/// Keys lie in pages of consecutive ones, because rows come with consecutive keys: the page of the last key is at hand,
/// so that finding a model costs an index and no hash. Models are not retained here, they take themselves out when they
/// go away.
final class IdentityMap {
  private static let shift: Int64 = 8
  private static let mask: Int64 = (1 << shift) - 1

  final class Page {
    struct Slot {
      unowned(unsafe) var model: (any PersistentModel)?
    }

    fileprivate unowned(unsafe) let map: IdentityMap
    fileprivate let number: Int64
    fileprivate let slots: UnsafeMutablePointer<Slot>
    fileprivate var count = 0

    fileprivate init(map: IdentityMap, number: Int64) {
      self.map = map
      self.number = number
      slots = .allocate(capacity: Int(IdentityMap.mask) + 1)
      slots.initialize(repeating: Slot(model: nil), count: Int(IdentityMap.mask) + 1)
    }

    deinit {
      slots.deallocate()
    }

    func remove(_ key: Int64) {
      slots[Int(key & IdentityMap.mask)].model = nil
      count -= 1
      if count == 0 {
        map.drop(number)
      }
    }
  }

  private var pages: [Int64: Page] = [:]
  private var lastNumber: Int64 = -1
  private var lastPage: Page?

  private func page(_ number: Int64) -> Page? {
    if number == lastNumber { return lastPage }
    guard let page = pages[number] else { return nil }
    lastNumber = number
    lastPage = page
    return page
  }

  func model(_ key: Int64) -> (any PersistentModel)? {
    page(key >> Self.shift)?.slots[Int(key & Self.mask)].model
  }

  /// Registers `model` under `key`, which must be free.
  func insert(_ model: any PersistentModel, _ key: Int64) -> Page {
    let number = key >> Self.shift
    let page: Page
    if let existing = self.page(number) {
      page = existing
    } else {
      page = Page(map: self, number: number)
      pages[number] = page
      lastNumber = number
      lastPage = page
    }
    page.slots[Int(key & Self.mask)].model = model
    page.count += 1
    return page
  }

  fileprivate func drop(_ number: Int64) {
    if lastNumber == number {
      lastNumber = -1
      lastPage = nil
    }
    pages[number] = nil
  }

  /// The registered models, in no order. They are retained for as long as the result is.
  var models: [any PersistentModel] {
    var models: [any PersistentModel] = []
    for page in pages.values {
      for index in 0...Int(Self.mask) {
        if let model = page.slots[index].model { models.append(model) }
      }
    }
    return models
  }
}
