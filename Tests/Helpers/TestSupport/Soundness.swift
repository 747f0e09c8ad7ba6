import Testing

@testable import SwiftData

/// Expects that debug builds find no inconsistency in a context.
func expectSound(_ context: ModelContext, sourceLocation: SourceLocation = #_sourceLocation) {
  #if DEBUG
    #expect(context.graph.brokenInvariants() == [], sourceLocation: sourceLocation)
  #endif
}
