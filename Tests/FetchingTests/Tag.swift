@testable import TestSupport

// Declared here, because of two modules that are imported each has one: Testing has tags too.
typealias Tag = TestSupport.Tag
