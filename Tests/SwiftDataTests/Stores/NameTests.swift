import Testing

@testable import SwiftData

@Suite("Names of columns")
struct NameTests {
  @Test func `A name is given once, whatever its capital letters`() {
    var names = ColumnNames()
    #expect(
      ["name", "Name", "NAME", "other", "name"].map { names.claim($0) } == [
        "name", "Name_2", "NAME_3", "other", "name_4",
      ])
  }

  @Test func `A number at the end does not meet a name that has one`() {
    var names = ColumnNames()
    #expect(["a_2", "a", "a", "a_2"].map { names.claim($0) } == ["a_2", "a", "a_3", "a_2_2"])
  }

  @Test func `References are named after what they lead to`() {
    #expect(LayoutNames.reference(to: "BookShelf") == "bookShelf_id")
    #expect(LayoutNames.toOne("author") == "author_id")
    #expect(LayoutNames.position("author") == "author_position")
  }
}
