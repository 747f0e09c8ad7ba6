import Foundation
import Testing

@testable import Flashcards

@Suite("Comma-separated values")
struct CSVParserTests {
  @Test(
    "Rows and fields are parsed according to RFC 4180",
    arguments: [
      ("a,b", [["a", "b"]]),
      ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
      ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
      ("a,b\rc,d\r", [["a", "b"], ["c", "d"]]),
      ("\"a,1\",\"b \"\"quoted\"\"\"", [["a,1", "b \"quoted\""]]),
      ("\"two\r\nlines\",b", [["two\r\nlines", "b"]]),
      ("\u{FEFF}a,b", [["a", "b"]]),
      (",\n", [["", ""]]),
      ("\"\",\"\"", [["", ""]]),
      ("a,b\n\n\nc,d\n\n", [["a", "b"], ["c", "d"]]),
      ("ä,😀", [["ä", "😀"]]),
      ("", []),
    ] as [(String, [[String]])])
  func reading(text: String, expected: [[String]]) throws {
    #expect(try CSVParser.rows(of: text.utf8).map(\.fields) == expected)
  }

  @Test(
    "An error has the number of its row",
    arguments: [
      ("a,\"b", 1, "A quoted field has no end."),
      ("a,b\n\"c\"d,e", 2, "There is text behind a quoted field."),
      ("a,b\r\n\r\nc,d\"e", 3, "There is a quote inside of a field without quotes."),
    ])
  func faults(text: String, row: Int, reason: String) {
    #expect(throws: CSVParser.Fault(row: row, reason: reason)) { try CSVParser.rows(of: text.utf8) }
  }

  @Test("Text that is not UTF-8 is refused")
  func encoding() {
    #expect(throws: CSVParser.Fault(row: 1, reason: "The text is not UTF-8.")) {
      try CSVParser.rows(of: [0x61, 0x2C, 0xFF])
    }
  }

  @Test("A first line “front,back” is not a card", arguments: ["front,back\na,b", "Front,BACK\r\na,b", "a,b"])
  func header(text: String) throws {
    #expect(try CardFile(text.utf8).entries == [CardFile.Entry(front: "a", back: "b")])
  }

  @Test(
    "An invalid row is reported by its number, and no card is imported",
    arguments: [
      ("front,back\na", "Row 2: There must be two columns, front and back (has 1 column). Nothing was imported."),
      ("a,b\n, c", "Row 2: The front must not be empty. Nothing was imported."),
      (
        "a,b,c\na,\n,a\na\na",
        "Row 1: There must be two columns, front and back (has 3 columns). "
          + "Row 2: The back must not be empty. Row 3: The front must not be empty. 2 more rows are wrong. "
          + "Nothing was imported."
      ),
      ("front,back", "The file has no cards."),
    ])
  func badRows(text: String, message: String) {
    #expect(throws: CardError.invalid(field: "file", message)) { try CardFile(text.utf8) }
  }
}
