@testable import TestSupport

/// Texts that databases, JSON and Swift easily misinterpret.
enum HostileTexts {
  static let all =
    [
      // A zero byte ends texts in C.
      "\0", "\0\0", "\0a", "a\0", "a\0b", "a\0c", "\u{FEFF}\0", "\r\n\0", "\u{301}\0", "🇩🇪\0🇫🇷",
      // Some programs do not treat a byte order mark as a part of a text.
      "\u{FEFF}", "\u{FEFF}a", "a\u{FEFF}", "\u{FEFF}\u{FEFF}a", "\u{FFFE}",
      // Grapheme clusters depend on what comes before.
      "🇩🇪🇫🇷", "🇩🇪", "🇪🇫", "🇩", "🇷", "🇩🇪🇫", "👩‍👩‍👧‍👦", "👩", "\u{200D}", "👩\u{200D}", "👍🏽", "👍", "\u{1F3FD}",
      "\u{301}", "\u{301}a", "a\u{301}", "\u{308}\u{301}", "\r", "\r\n", "\n", "\n\r", "\r\n\n", "\u{1100}", "\u{1161}",
      "\u{AC00}\u{11A8}", "क्षि", "क", "\u{600}1", "\u{E0001}",
      // Characters that JSON escapes, and texts that look escaped.
      "\\u0000", "\\", "\\\\u0000", "\"\0", "\u{1F}", "\u{7F}", "\u{2028}", "/", "\\/", "]\0", "},\0", "\t\u{8}\u{C}\0",
      // Wildcards, and the ends of ranges.
      "%", "_", "*", "?", "[a]", "\u{10FFFF}", "\u{D7FF}", "\u{E000}", "\u{FFFF}",
    ]
}
