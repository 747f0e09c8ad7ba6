/// Where a collection has its elements from: one of the two subclasses, which override all of it.
class FetchedElements<Element> {
  var count: Int { 0 }
  func element(at position: Int) -> Element { preconditionFailure("overridden") }
}
