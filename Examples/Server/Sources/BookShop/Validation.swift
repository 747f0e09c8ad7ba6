// Checks of content before an actor is called, independent of HTTP and of the store.

extension BookDraft {
  /// The draft's ISBN, once all of the draft is in order.
  ///
  /// - Throws: ``ShopError/invalid(_:)`` with everything that is wrong, not only the first fault.
  func validated() throws(ShopError) -> ISBN {
    let isbn = ISBN(isbn)
    let faults =
      (isbn == nil ? [ShopError.malformedISBN(self.isbn)] : [])
      + Self.faults(title: title, author: author, year: year, copies: copies)
    guard let isbn, faults.isEmpty else { throw .invalid(faults) }
    return isbn
  }

  fileprivate static func faults(title: String?, author: String?, year: Int?, copies: Int?) -> [String] {
    var faults: [String] = []
    func require(_ isFulfilled: Bool?, _ fault: String) {
      if isFulfilled == false { faults.append(fault) }
    }
    require(title.map { (1...300).contains($0.count) }, "The title has 1 to 300 characters.")
    require(author.map { (1...200).contains($0.count) }, "The author has 1 to 200 characters.")
    require(year.map((1000...9999).contains), "The year has four digits.")
    require(copies.map((0...1_000_000).contains), "There are 0 to 1,000,000 copies.")
    return faults
  }
}

extension BookChanges {
  func validate() throws(ShopError) {
    let faults = BookDraft.faults(title: title, author: author, year: year, copies: copies)
    guard faults.isEmpty else { throw .invalid(faults) }
  }
}

extension BookQuery {
  /// How many books come before the page, and how many it has at most.
  func range() throws(ShopError) -> (offset: Int, limit: Int) {
    let page = page ?? 1
    let size = size ?? 20
    guard page >= 1, (1...100).contains(size) else {
      throw .invalid(["Pages are counted from 1 and have 1 to 100 books."])
    }
    let (offset, overflows) = (page - 1).multipliedReportingOverflow(by: size)
    return (overflows ? .max : offset, size)
  }
}

extension [OrderLine] {
  /// The order with its ISBNs read.
  func validated() throws(ShopError) -> [(isbn: ISBN, copies: Int)] {
    guard (1...100).contains(count) else { throw .invalid(["An order has 1 to 100 lines."]) }
    var lines: [(isbn: ISBN, copies: Int)] = []
    for line in self {
      guard let isbn = ISBN(line.isbn) else { throw .invalid([ShopError.malformedISBN(line.isbn)]) }
      guard (1...1000).contains(line.copies) else { throw .invalid(["A line has 1 to 1,000 copies."]) }
      lines.append((isbn, line.copies))
    }
    return lines
  }
}
