/// Brings together two lists that have come from one list.
enum OrderedMerge {
  /// What a list becomes when two have changed it: without what one of them removed, and with what one of them added.
  ///
  /// An addition stands behind the element that it stood behind, or at the end if it stood behind all of the common list.
  /// The order of the rest is that of `mine` if that has moved elements, or else that of `theirs`.
  ///
  /// - Parameters:
  ///   - isMineFirst: Which addition comes first where both have one.
  ///   - identity: By which elements are told from one another; none is twice in a list.
  static func merge<Element>(
    base: [Element], mine: [Element], theirs: [Element], isMineFirst: Bool, identity: (Element) -> ObjectIdentifier
  ) -> [Element] {
    let known = Set(base.map(identity))
    let common = known.intersection(mine.map(identity)).intersection(theirs.map(identity))
    let (my, their) = (Additions(mine, known, common, identity), Additions(theirs, known, common, identity))
    let isMoved = !base.lazy.map(identity).filter(common.contains).elementsEqual(my.order)
    let order = isMoved ? my.rest : their.rest
    let (first, second) = isMineFirst ? (my, their) : (their, my)
    var merged: [Element] = []
    var seen = common
    func add(_ additions: [Element]?) {
      for addition in additions ?? [] where seen.insert(identity(addition)).inserted { merged.append(addition) }
    }
    add(first.foremost)
    add(second.foremost)
    for element in order {
      merged.append(element)
      add(first.following[identity(element)])
      add(second.following[identity(element)])
    }
    add(first.last)
    add(second.last)
    return merged
  }

  /// What one of the lists has added, by where it stands there.
  private struct Additions<Element> {
    /// The elements that both lists have from the common one.
    var rest: [Element] = []
    var order: [ObjectIdentifier] = []
    /// Before all of those, behind each, and behind all.
    var foremost: [Element] = []
    var following: [ObjectIdentifier: [Element]] = [:]
    var last: [Element] = []

    init(
      _ list: [Element], _ known: Set<ObjectIdentifier>, _ common: Set<ObjectIdentifier>,
      _ identity: (Element) -> ObjectIdentifier
    ) {
      var run: [Element] = []
      for element in list {
        let id = identity(element)
        if common.contains(id) {
          if let neighbour = order.last { following[neighbour] = run } else { foremost = run }
          run = []
          rest.append(element)
          order.append(id)
        } else if !known.contains(id) {
          run.append(element)
        }
      }
      last = run
    }
  }
}
