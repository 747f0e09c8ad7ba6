import Testing

@testable import SwiftData

/// Expects that nothing is wrong with what a context has, as far as builds for debugging can tell.
func expectSound(_ context: ModelContext, sourceLocation: SourceLocation = #_sourceLocation) {
  #if DEBUG
    #expect(context.graph.brokenInvariants() == [], sourceLocation: sourceLocation)
  #endif
}
