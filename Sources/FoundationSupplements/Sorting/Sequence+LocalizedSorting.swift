#if !canImport(Darwin)
  public import Foundation

  // The compiler prefers these to Foundation's methods, which take a comparator of any type and use its `compare`.

  extension Sequence where Element == String {
    /// The strings in the order of a comparator.
    public func sorted(using comparator: String.StandardComparator) -> [String] {
      if let localized = comparator.localizedComparator { return sorted(by: localized) }
      return sorted(by: comparator)
    }
  }

  extension Sequence {
    /// The elements in the order that a descriptor describes.
    public func sorted(using descriptor: SortDescriptor<Element>) -> [Element] {
      sorted(by: descriptor.following)
    }

    /// The elements in the order of the first descriptor; elements that are equal by it in the order of the next, and so on.
    public func sorted(using descriptors: some Sequence<SortDescriptor<Element>>) -> [Element] {
      sorted(byEach: descriptors.map(\.following))
    }

    fileprivate func sorted<Rules: SortComparator>(by rules: Rules) -> [Element] where Rules.Compared == Element {
      sorted(using: rules)
    }

    fileprivate func sorted<Rules: SortComparator>(byEach rules: [Rules]) -> [Element] where Rules.Compared == Element {
      sorted(using: rules)
    }
  }

  extension MutableCollection where Self: RandomAccessCollection, Element == String {
    /// Sorts the strings by a comparator.
    public mutating func sort(using comparator: String.StandardComparator) {
      if let localized = comparator.localizedComparator { sort(by: localized) } else { sort(by: comparator) }
    }
  }

  extension MutableCollection where Self: RandomAccessCollection {
    /// Sorts the elements by a descriptor.
    public mutating func sort(using descriptor: SortDescriptor<Element>) {
      sort(by: descriptor.following)
    }

    /// Sorts the elements by the first descriptor; elements that are equal by it by the next, and so on.
    public mutating func sort(using descriptors: some Sequence<SortDescriptor<Element>>) {
      sort(byEach: descriptors.map(\.following))
    }

    fileprivate mutating func sort<Rules: SortComparator>(by rules: Rules) where Rules.Compared == Element {
      sort(using: rules)
    }

    fileprivate mutating func sort<Rules: SortComparator>(byEach rules: [Rules]) where Rules.Compared == Element {
      sort(using: rules)
    }
  }
#endif
