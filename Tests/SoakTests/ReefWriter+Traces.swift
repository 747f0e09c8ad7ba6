import SoakTestModels

@testable import SwiftData
@testable import TestSupport

extension ReefWriter {
  /// Inconsistencies of the context; nil without any.
  var flaws: String? {
    let flaws = context.flaws
    return flaws.isEmpty ? nil : "\(name), inside: \(flaws.prefix(10).joined(separator: "\n  "))"
  }

  /// The context, and a sample of its models.
  var traces: [Trace] {
    [Trace("the context of \(name)", context), Trace("the graph of \(name)", context.graph)]
      + held.suffix(50).map { Trace("\(brief($0)) of \(name)", $0) }
  }
}
