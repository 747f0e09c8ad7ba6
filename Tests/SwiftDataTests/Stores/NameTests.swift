import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Names of columns")
struct NameTests {
  @Test("A name is given once, whatever its capital letters")
  func namesAreDistinct() {
    var names = ColumnNames()
    #expect(
      ["name", "Name", "NAME", "other", "name"].map { names.claim($0) } == [
        "name", "Name_2", "NAME_3", "other", "name_4",
      ])
  }

  @Test("A number suffix does not collide with a name that has one")
  func numberSuffix() {
    var names = ColumnNames()
    #expect(["a_2", "a", "a", "a_2"].map { names.claim($0) } == ["a_2", "a", "a_3", "a_2_2"])
  }

  @Test("References are named after their targets")
  func references() {
    #expect(LayoutNames.reference(to: "BookShelf") == "bookShelf_id")
    #expect(LayoutNames.toOne("author") == "author_id")
    #expect(LayoutNames.position("author") == "author_position")
  }
}
