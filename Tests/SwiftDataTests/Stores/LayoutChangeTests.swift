import Relational
import SQLiteDriver
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Layout changes")
struct LayoutChangeTests {
  private typealias Column = TableDefinition.Column
  private typealias Index = TableDefinition.Index

  private static let key = Column(name: "_id", type: .integer, isNullable: false, isPrimaryKey: true)

  private func table(_ columns: [Column], _ name: String = "Item", indexes: [Index] = []) -> TableDefinition {
    TableDefinition(name: name, columns: [Self.key] + columns, indexes: indexes)
  }

  private func column(_ name: String, isNullable: Bool = false, default value: Value? = nil) -> Column {
    Column(name: name, type: .text, isNullable: isNullable, defaultValue: value)
  }

  private func reference(_ name: String, to table: String = "Owner", isNullable: Bool = true) -> Column {
    Column(
      name: name, type: .integer, isNullable: isNullable,
      references: .init(table: table, column: "_id", onDelete: .setNull))
  }

  private func changes(_ old: [TableDefinition], _ new: [TableDefinition]) throws -> [LayoutChange] {
    try LayoutChange.changes(from: old, to: new).get()
  }

  private func issues(_ old: [TableDefinition], _ new: [TableDefinition]) -> [SwiftDataError.Issue] {
    let error = #expect(throws: LayoutChange.Obstacles.self) { try changes(old, new) }
    return error?.issues ?? []
  }

  private func data(_ namesFiles: Bool?, _ name: String = "a", isNullable: Bool = true) -> Column {
    var column = Column(name: name, type: .blob, isNullable: isNullable)
    column.originalName = "a"
    column.namesFiles = namesFiles
    return column
  }

  /// The step that archives the values of columns.
  private func keep(_ name: String, _ columns: [Column]) -> LayoutChange {
    .archive(ArchivedValues(table: "swiftdata_kept_Item_\(name)", source: "Item", columns: columns))
  }

  @Test("External files are adopted when a column named files, or may have")
  func externalFiles() throws {
    let inline = data(false)
    for old in [true, nil] as [Bool?] {
      let expected = LayoutChange.adoptFiles(table: "Item", inline, isKnown: old != nil)
      #expect(try changes([table([data(old)])], [table([inline])]) == [expected])
    }
    #expect(try changes([table([inline])], [table([inline])]) == [])
    #expect(try changes([table([data(true)])], [table([data(true)])]) == [])
  }

  @Test("A column that begins to name files is recorded")
  func newExternalStorage() throws {
    for old in [false, nil] as [Bool?] {
      #expect(
        try changes([table([data(old)])], [table([data(true)])]) == [.recordFiles(table: "Item", column: "a")])
    }
  }

  @Test("External files are adopted after a renaming, and before the table is rebuilt")
  func externalFilesAfterRenaming() throws {
    let inline = data(false, "b")
    let new = table([inline])
    #expect(
      try changes([table([data(true, isNullable: false)])], [new]) == [
        .renameColumn(table: "Item", from: "a", to: "b"), .adoptFiles(table: "Item", inline, isKnown: true),
        .rebuildTable(new),
      ])
  }

  @Test("Equal layouts need no change, in any order")
  func equalLayouts() throws {
    let first = table([column("a"), column("b")])
    let second = table([column("c")], "Other")
    #expect(try changes([first, second], [second, table([column("b"), column("a")])]) == [])
  }

  @Test("Another default value needs no change")
  func anotherDefaultValue() throws {
    #expect(try changes([table([column("a", default: .text("x"))])], [table([column("a", default: .text("y"))])]) == [])
  }

  @Test("A new table is created")
  func newTable() throws {
    let other = table([column("a")], "Other")
    #expect(try changes([table([])], [table([]), other]) == [.createTable(other)])
  }

  @Test("A new column is added when rows can have a value for it")
  func newColumn() throws {
    let optional = column("a", isNullable: true)
    let withDefault = column("b", default: .text("x"))
    #expect(
      try changes([table([])], [table([optional, withDefault])])
        == [.addColumn(table: "Item", optional), .addColumn(table: "Item", withDefault)])
  }

  @Test("A new column without a value for existing rows is an obstacle")
  func newColumnWithoutValue() {
    let found = issues([table([])], [table([column("a"), reference("owner_id", isNullable: false)])])
    #expect(found.map(\.entity) == ["Item", "Item"])
    #expect(found.map(\.property) == ["a", "owner_id"])
  }

  @Test("A removed column is archived and dropped, after its index")
  func removedColumn() throws {
    let index = Index(name: "Item_a", columns: ["a"], isUnique: false)
    #expect(
      try changes([table([column("a")], indexes: [index])], [table([])])
        == [.dropIndex(index), keep("a", [column("a")]), .dropColumn(table: "Item", column: "a")])
  }

  @Test("An index is created after its column, and dropped before it")
  func indexOrder() throws {
    let added = column("a", isNullable: true)
    let index = Index(name: "Item_a", columns: ["a"], isUnique: false)
    #expect(
      try changes([table([])], [table([added], indexes: [index])])
        == [.addColumn(table: "Item", added), .createIndex(table: "Item", index)])
  }

  @Test("A changed index is recreated")
  func changedIndex() throws {
    let old = Index(name: "Item_a", columns: ["a"], isUnique: false)
    let new = Index(name: "Item_a", columns: ["a"], isUnique: true)
    #expect(
      try changes([table([column("a")], indexes: [old])], [table([column("a")], indexes: [new])])
        == [.dropIndex(old), .createIndex(table: "Item", new)])
  }

  @Test("An index of sort keys with other rules is recreated, which changes no model")
  func keysByOtherRules() throws {
    func index(_ function: String) -> Index {
      var index = Index(name: "Item_a_sorted", columns: ["a"], isUnique: false)
      index.functions = [function]
      return index
    }
    let old = table([column("a")], indexes: [index("f")])
    let steps = try changes([old], [table([column("a")], indexes: [index("g")])])
    #expect(steps == [.dropIndex(index("f")), .createIndex(table: "Item", index("g"))])
    #expect(steps.allSatisfy { $0.isAboutSorting && $0.keepsModels })
    #expect(
      steps.flatMap { $0.statements(SQLiteDialect()) }.map(\.sql) == [
        #"DROP INDEX IF EXISTS "Item_a_sorted""#, #"CREATE INDEX "Item_a_sorted" ON "Item" ("g"("a"))"#,
      ])
    var optional = column("a")
    optional.isNullable = true
    let rebuilt = table([optional], indexes: [index("g")])
    // The index is dropped before rows change.
    #expect(try changes([old], [rebuilt]) == [.dropIndex(index("f")), .rebuildTable(rebuilt)])
  }

  @Test("A column with an original name is renamed")
  func renamedColumn() throws {
    var renamed = column("b")
    renamed.originalName = "a"
    #expect(
      try changes([table([column("a")])], [table([renamed])]) == [.renameColumn(table: "Item", from: "a", to: "b")])
    #expect(try changes([table([renamed])], [table([renamed])]) == [], "a renaming is done once")
  }

  @Test("An original name that is still in use is no renaming")
  func usedOriginalName() throws {
    var renamed = column("b", isNullable: true)
    renamed.originalName = "a"
    #expect(
      try changes([table([column("a")])], [table([column("a"), renamed])])
        == [.addColumn(table: "Item", renamed)])
  }

  private func column(_ name: String, was original: String, isNullable: Bool = false) -> Column {
    var column = column(name, isNullable: isNullable)
    column.originalName = original
    return column
  }

  @Test("Renamings that pass names on run from the last to the first")
  func orderOfRenamings() throws {
    let old = table([column("a"), column("b"), column("c")])
    let new = table([column("b", was: "a"), column("c", was: "b"), column("d", was: "c")])
    #expect(
      try changes([old], [new])
        == [("c", "d"), ("b", "c"), ("a", "b")].map { .renameColumn(table: "Item", from: $0.0, to: $0.1) })
    #expect(try changes([new], [new]) == [], "a renaming is done once")
  }

  @Test("Exchanged names need a temporary third one")
  func exchangedNames() throws {
    let old = table([column("a"), column("b")])
    let new = table([column("a", was: "b"), column("b", was: "a")])
    #expect(
      try changes([old], [new])
        == [("b", "b_former_2"), ("a", "b"), ("b_former_2", "a")].map {
          .renameColumn(table: "Item", from: $0.0, to: $0.1)
        })
    #expect(try changes([new], [new]) == [], "a renaming is done once")
  }

  @Test("A removed column releases its name for a renaming")
  func releasedName() throws {
    #expect(
      try changes([table([column("a"), column("b")])], [table([column("b", was: "a")])]) == [
        keep("b", [column("b")]), .renameColumn(table: "Item", from: "b", to: "b_former_2"),
        .renameColumn(table: "Item", from: "a", to: "b"),
        .dropColumn(table: "Item", column: "b_former_2"),
      ])
    #expect(
      try changes([table([column("a"), column("b", was: "a")])], [table([column("b", was: "a")])])
        == [keep("a", [column("a")]), .dropColumn(table: "Item", column: "a")], "b has had its name for long")
  }

  @Test("A property renamed twice is found by its first name and by the intermediate one")
  func renamedTwice() throws {
    let old = table([column("b", was: "a")])
    for name in ["a", "b"] {
      #expect(
        try changes([old], [table([column("c", was: name)])]) == [.renameColumn(table: "Item", from: "b", to: "c")])
    }
  }

  @Test("Original names that the schema no longer declares need no change")
  func undeclaredOriginalNames() throws {
    let exchanged = table([column("a", was: "b"), column("b", was: "a")])
    #expect(try changes([exchanged], [table([column("a"), column("b")])]) == [])
    let added = column("a", isNullable: true)
    #expect(
      try changes([table([column("b", was: "a")])], [table([column("b"), added])])
        == [.addColumn(table: "Item", added)])
  }

  @Test("A column whose name only changes its capital letters is renamed through a temporary name")
  func capitalLetters() throws {
    let steps = try changes([table([column("userId")])], [table([column("userID")])])
    #expect(
      steps
        == [("userId", "userID_former_2"), ("userID_former_2", "userID")].map {
          .renameColumn(table: "Item", from: $0.0, to: $0.1)
        })
  }

  @Test("A new column may have the name that a renamed column had")
  func nameOfRenamedColumn() throws {
    let added = column("a", was: "s", isNullable: true)
    #expect(
      try changes([table([column("a")])], [table([column("b", was: "a"), added])])
        == [.renameColumn(table: "Item", from: "a", to: "b"), .addColumn(table: "Item", added)])
  }

  @Test("Two properties with the same original name are an obstacle")
  func sameOriginalName() throws {
    let new = table([column("b", was: "a"), column("c", was: "a", isNullable: true)])
    #expect(issues([table([column("a")])], [new]).map(\.property) == ["c"])
    #expect(
      try changes([table([column("b", was: "a"), column("a")])], [new])
        == [.renameColumn(table: "Item", from: "a", to: "c"), .rebuildTable(new)], "the store has both")
    #expect(try changes([new], [new]) == [])
  }

  @Test("A property that moves from a base class to several subclasses, or back, is an obstacle")
  func allModelsHad() throws {
    func owned(_ name: String, _ owner: String) -> Column {
      var column = column(name, was: "a", isNullable: true)
      column.owner = owner
      return column
    }
    let shared = table([column("a", isNullable: true)])
    let one = table([owned("a", "Cat")])
    let several = table([owned("a", "Cat"), owned("a_2", "Dog")])
    #expect(try changes([shared], [one]) == [])
    #expect(try changes([one], [shared]) == [])
    #expect(issues([shared], [several]).map(\.entity) == ["Dog"])
    #expect(issues([several], [shared]).map(\.entity) == ["Dog"])
    #expect(issues([several], [shared]).map(\.property) == ["a"])
  }

  @Test("An index is recreated when its name passes to another column's index")
  func indexName() throws {
    func index(_ name: String) -> Index { Index(name: "Item_\(name)", columns: [name], isUnique: true) }
    let old = table([column("a"), column("b")], indexes: [index("a")])
    let new = table([column("c", was: "a"), column("a", was: "b")], indexes: [index("a")])
    #expect(
      try changes([old], [new]) == [
        .dropIndex(index("a")), .renameColumn(table: "Item", from: "a", to: "c"),
        .renameColumn(table: "Item", from: "b", to: "a"), .createIndex(table: "Item", index("a")),
      ])
  }

  @Test("Renamings of tables may pass names on")
  func renamedTables() throws {
    var second = table([column("a")], "Second")
    second.originalName = "First"
    var third = table([column("b")], "Third")
    third.originalName = "Second"
    #expect(
      try changes([table([column("a")], "First"), table([column("b")], "Second")], [second, third])
        == [.renameTable(from: "Second", to: "Third"), .renameTable(from: "First", to: "Second")])
  }

  @Test("Removing a reference rebuilds the table")
  func removedReference() throws {
    let new = table([column("a")], indexes: [Index(name: "Item_a", columns: ["a"], isUnique: false)])
    let old = table([column("a"), reference("owner_id")])
    #expect(try changes([old], [new]) == [keep("owner_id", [reference("owner_id")]), .rebuildTable(new)])
  }

  @Test("Making a column optional rebuilds the table")
  func newlyOptionalColumn() throws {
    let new = table([column("a", isNullable: true)])
    #expect(try changes([table([column("a")])], [new]) == [.rebuildTable(new)])
  }

  @Test("Another delete rule changes no models")
  func anotherDeleteRule() throws {
    var strict = reference("owner_id")
    strict.references?.onDelete = .restrict
    let new = table([strict])
    let change = LayoutChange.changeDeleteRules(new)
    #expect(try changes([table([reference("owner_id")])], [new]) == [change])
    #expect(change.keepsModels)
    // Together with a dropped column or another index it is a change of the models.
    let indexed = table([strict], indexes: [Index(name: "Item_a", columns: ["owner_id"], isUnique: true)])
    #expect(try changes([table([reference("owner_id")])], [indexed]) == [.rebuildTable(indexed)])
    #expect(
      try changes([table([reference("owner_id"), column("a", isNullable: true)])], [new])
        == [keep("a", [column("a", isNullable: true)]), .rebuildTable(new)])
  }

  @Test("A table is rebuilt after its columns are archived, renamed and added")
  func tableRebuilt() throws {
    var renamed = column("c")
    renamed.originalName = "b"
    let added = column("d", isNullable: true)
    let new = table([renamed, added])
    #expect(
      try changes([table([column("b"), reference("owner_id")])], [new])
        == [
          keep("owner_id", [reference("owner_id")]), .renameColumn(table: "Item", from: "b", to: "c"),
          .addColumn(table: "Item", added), .rebuildTable(new),
        ])
  }

  @Test("A removed relationship archives and drops its join table; a removed model's table is an obstacle")
  func removedJoinTable() throws {
    let join = TableDefinition(
      name: "Item_tags", columns: [reference("item_id"), reference("tag_id")],
      compositePrimaryKey: ["item_id", "tag_id"])
    let links = ArchivedValues(
      table: "swiftdata_kept_Item_tags", source: "Item_tags", columns: join.columns, linkKey: ["item_id", "tag_id"])
    #expect(try changes([table([]), join], [table([])]) == [.archive(links), .dropTable("Item_tags")])
    #expect(issues([table([]), table([], "Other")], [table([])]).map(\.entity) == ["Other"])
  }

  @Test("A changed type, meaning or target is an obstacle")
  func changedTypeMeaningOrTarget() {
    var other = column("a")
    other.meaning = "Decimal"
    let integer = Column(name: "a", type: .integer, isNullable: false)
    for new in [other, integer] {
      #expect(issues([table([column("a")])], [table([new])]).map(\.property) == ["a"])
    }
    #expect(issues([table([reference("o_id")])], [table([reference("o_id", to: "Other")])]).count == 1)
  }

  @Test("All obstacles are reported together")
  func allObstacles() {
    let old = [table([column("a"), column("b", isNullable: true)]), table([], "Other")]
    let found = issues(old, [table([Column(name: "a", type: .real, isNullable: false), column("b"), column("c")])])
    #expect(found.map { "\($0.entity ?? "").\($0.property ?? "")" } == ["Other.", "Item.a", "Item.c"])
  }

  @Test("A value that becomes required is checked, or set to the default, before the table is rebuilt")
  func newlyRequiredValue() throws {
    for new in [column("a"), column("a", default: .text("x"))] {
      let values = RequiredValues(
        table: "Item", column: new, columns: [new], source: .init(table: "Item", column: "a"))
      #expect(
        try changes([table([column("a", isNullable: true)])], [table([new])])
          == [.requireValues(values), .rebuildTable(table([new]))])
      #expect((values.update(nil) != nil) == (new.defaultValue != nil))
    }
  }

  @Test("In an empty table, required columns need no default and changed types are no obstacle")
  func noRows() throws {
    let none = RowFacts(absentKinds: ["Item"])
    var other = column("a")
    other.meaning = "Decimal"
    let (old, new) = (table([column("a")]), table([other, column("b")]))
    #expect(
      try LayoutChange.changes(from: [old], to: [new], rows: none).get()
        == [.addColumn(table: "Item", column("b")), .rebuildTable(new)])
    #expect(issues([old], [new]).map(\.property) == ["a", "b"])
    let removed = RemovedModels(of: nil, in: old, [old], []) { _ in nil }
    #expect(try LayoutChange.changes(from: [old], to: [], rows: none).get() == [.removeModels(removed)])
    let stage = RowFacts(removableKinds: ["Item"])
    #expect(try LayoutChange.changes(from: [old], to: [], rows: stage).get() == [.removeModels(removed)])
    #expect(removed.statements(SQLiteDialect()).map(\.sql) == [#"DROP TABLE "Item""#])
  }

  @Test("Removing models drops their join tables and archived links")
  func removedModels() throws {
    let join = TableDefinition(
      name: "Item_tags", columns: [reference("item_id", to: "Item"), reference("owner_id")],
      compositePrimaryKey: ["item_id", "owner_id"])
    let links = ArchivedValues(
      table: "swiftdata_kept_Item_fans", source: "Item_fans", columns: join.columns, linkKey: ["item_id", "owner_id"])
    let steps = try LayoutChange.changes(
      from: [table([]), table([], "Owner"), join], to: [table([], "Owner")], archived: [links],
      rows: RowFacts(removableKinds: ["Item"])
    ).get()
    guard case .removeModels(let models)? = steps.first else { return #expect(Bool(false), "\(steps)") }
    #expect(models.forgotten == [links])
    #expect(Array(steps.dropFirst()) == [.dropTable("Item_tags")])
  }

  // MARK: Archived values

  private func typed(_ column: Column, _ name: String, _ type: String) -> Column {
    var column = column
    let isWhole = column.name == name
    column.property = .init(
      name: name, originalName: isWhole && !column.originalName.isEmpty ? column.originalName : nil, type: type,
      part: isWhole ? "" : String(column.name.dropFirst(name.count + 1)))
    return column
  }

  private func changesRestoring(_ old: [Column], _ new: [Column]) throws -> [LayoutChange] {
    let archived = ArchivedValues(table: "swiftdata_kept_Item_p", source: "Item", columns: old)
    return try LayoutChange.changes(from: [table([])], to: [table(new)], archived: [archived]).get()
  }

  private func restores(_ old: [Column], _ new: [Column]) throws -> Bool {
    try changesRestoring(old, new).contains { if case .restore = $0 { true } else { false } }
  }

  @Test("Values are restored to a property of the same type with their name or original name")
  func valuesRestored() throws {
    let old = typed(column("a"), "a", "String")
    for new in [column("a", isNullable: true), column("a", default: .text("x")), column("b", was: "a")] {
      #expect(try restores([old], [typed(new, new.name, "String")]))
      #expect(try !restores([old], [typed(column("c", isNullable: true), "c", "String")]))
    }
    #expect(try !restores([old], [typed(column("a", isNullable: true), "a", "Name")]))
    #expect(try !restores([old], [typed(Column(name: "a", type: .integer, isNullable: true), "a", "Int")]))
  }

  @Test("Archived values are restored to a required property before its table is rebuilt")
  func restoredRequiredProperty() throws {
    let (old, new) = (typed(column("a"), "a", "String"), typed(column("a"), "a", "String"))
    let steps = try changesRestoring([old], [new])
    #expect(steps.count == 3)
    #expect(steps.first == .addColumn(table: "Item", typed(column("a", isNullable: true), "a", "String")))
    #expect(steps.last == .rebuildTable(table([new])))
    guard case .restore(let values) = steps[1] else { return #expect(Bool(false), "\(steps)") }
    #expect(values.required == ["a"])
  }

  @Test("A structure is restored as a whole")
  func structureRestored() throws {
    let old = ["p_x", "p_y"].map { typed(column($0), "p", "Point(x: Int, y: Int)") }
    let new = ["p_x", "p_y"].map { typed(column($0, isNullable: true), "p", "Point(x: Int, y: Int)") }
    #expect(try changesRestoring(old, new).filter { if case .restore = $0 { true } else { false } }.count == 1)
    let other = ["p_x", "p_z"].map { typed(column($0, isNullable: true), "p", "Point(x: Int, z: Int)") }
    #expect(try !restores(old, other))
  }

  @Test("Values that an earlier release archived are restored only if the column determines their type")
  func earlyReleaseOnly() throws {
    func meaning(_ meaning: String, _ isTyped: Bool) -> Column {
      var column = column("a", isNullable: true)
      column.meaning = meaning
      return isTyped ? typed(column, "a", "T") : column
    }
    for (text, comes) in [("String", true), ("json", false), ("raw String", false), ("", false)] {
      #expect(try restores([meaning(text, false)], [meaning(text, true)]) == comes, "\(text)")
    }
  }

  @Test("The latest archived values of a name are restored")
  func latestArchived() throws {
    let old = typed(column("a", isNullable: true), "a", "String")
    let archived = ["swiftdata_kept_Item_a", "Swiftdata_Kept_Item_A_2"].map {
      ArchivedValues(table: $0, source: "Item", columns: [old])
    }
    let steps = try LayoutChange.changes(from: [table([])], to: [table([old])], archived: archived).get()
    #expect(steps.contains { if case .restore(let values) = $0 { values.archived == archived[1] } else { false } })
    let again = try LayoutChange.changes(
      from: [table([old])], to: [table([])], archived: archived, taken: ["swiftdata_kept_item_a_3"]
    ).get()
    guard case .archive(let values) = again.first else { return #expect(Bool(false), "\(again)") }
    #expect(values.table == "swiftdata_kept_Item_a_4")
  }
}
