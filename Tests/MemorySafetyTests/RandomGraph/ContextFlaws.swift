import SwiftData

@testable import TestSupport

extension ModelContext {
  func throwFlaws() throws {
    let flaws = flaws
    if !flaws.isEmpty { throw Mismatch("inside: \(flaws.prefix(5).joined(separator: "\n    "))") }
  }
}
