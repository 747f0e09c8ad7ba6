/// The three-way merge of two lists that were changed independently, and the list that both come from.
enum OrderedMerge {
  /// The merged list, without the elements that either list removed, and with the elements that either added.
  ///
  /// An added element stays behind its neighbour of the common list, or at the end if it was behind all elements of the
  /// common list. The other elements have the order of `mine` if `mine` moved elements, and otherwise the order of
  /// `theirs`.
  ///
  /// - Parameters:
  ///   - isMineFirst: Whether the additions of `mine` come first where both lists added elements at the same position.
  ///   - identity: The identity of an element. A list has each element once.
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

  /// The elements that one list has added, grouped by their position.
  private struct Additions<Element> {
    /// The elements of the common list that both lists still have.
    var rest: [Element] = []
    var order: [ObjectIdentifier] = []
    /// Additions before all elements of `rest`, behind each, and behind all.
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
