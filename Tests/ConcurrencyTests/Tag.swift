@testable import TestSupport

// Disambiguates `Tag`: Testing and a second imported module declare one too.
typealias Tag = TestSupport.Tag
