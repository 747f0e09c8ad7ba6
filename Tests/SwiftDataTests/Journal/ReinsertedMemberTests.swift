import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

enum LabelledSheaves {
  @Model
  final class Sheaf {
    var name: String
    @Relationship(inverse: \Label.sheaves) var labels: [Label] = []

    init(_ name: String) {
      self.name = name
    }
  }

  @Model
  final class Label {
    var word: String
    var sheaves: [Sheaf] = []
    var parent: Label?
    @Relationship(deleteRule: .cascade, inverse: \Label.parent) var children: [Label] = []

    init(_ word: String) {
      self.word = word
    }
  }
}

@Suite("Cascade-deleted members that are inserted again along with their owner")
struct ReinsertedMemberTests {
  @Test("A member that is inserted again along with its parent is linked once", arguments: [true, false])
  func linkedOnce(isParentFirst: Bool) throws {
    let container = try makeContainer(LabelledSheaves.Sheaf.self, LabelledSheaves.Label.self)
    let context = ModelContext(container)
    let sheaf = LabelledSheaves.Sheaf("s")
    let (parent, child) = (LabelledSheaves.Label("parent"), LabelledSheaves.Label("child"))
    context.insert(sheaf)
    sheaf.labels = [parent, child]
    parent.children = [child]
    try context.save()
    context.delete(parent)
    #expect(sheaf.labels.isEmpty)
    sheaf.labels = isParentFirst ? [parent, child] : [child, parent]
    #expect(parent.sheaves.count == 1)
    #expect(child.sheaves.count == 1)
    #expect(throws: Never.self) { try context.save() }
    let fresh = ModelContext(container)
    #expect(try fresh.only(LabelledSheaves.Sheaf.self).labels.map(\.word).sorted() == ["child", "parent"])
    #expect(try fresh.all(LabelledSheaves.Label.self, by: \.word).map(\.sheaves.count) == [1, 1])
    context.rollback()
    #expect(child.sheaves.count == 1)
  }
}
