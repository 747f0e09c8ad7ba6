@testable import TestSupport

// Declared here because two imported modules have one each: Testing has tags too.
typealias Tag = TestSupport.Tag
