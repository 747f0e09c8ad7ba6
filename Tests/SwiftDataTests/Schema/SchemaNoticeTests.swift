import Logging
import Testing

@testable import SwiftData
@testable import TestSupport

private enum Unclear {
  @Model final class Worker {
    var boss: Worker?
    init() {}
  }

  @Model final class Airport {
    var flights: [Flight] = []
    init() {}
  }

  @Model final class Flight {
    var from: Airport
    var to: Airport
    init(_ from: Airport, _ to: Airport) { (self.from, self.to) = (from, to) }
  }

  @Model final class Student {
    var courses: [Course] = []
    init() {}
  }

  @Model final class Course {
    var students: [Student] = []
    init() {}
  }

  @Model final class Owner {
    @Relationship(deleteRule: .cascade, inverse: \Thing.owner) var things: [Thing] = []
    var description = ""
    init() {}
  }

  @Model final class Thing {
    @Relationship(deleteRule: .cascade) var owner: Owner?
    var hash = 0
    init() {}
  }
}

private enum Clear {
  @Model final class Worker {
    @Relationship(inverse: nil) var boss: Worker?
    init() {}
  }

  @Model final class Airport {
    @Relationship(inverse: \Flight.from) var departures: [Flight] = []
    @Relationship(inverse: \Flight.to) var arrivals: [Flight] = []
    init() {}
  }

  @Model final class Flight {
    var from: Airport
    var to: Airport
    init(_ from: Airport, _ to: Airport) { (self.from, self.to) = (from, to) }
  }

  @Model final class Student {
    @Relationship(inverse: nil) var courses: [Course] = []
    @Relationship(inverse: \Course.owners) var owned: [Course] = []
    init() {}
  }

  @Model final class Course {
    @Relationship(inverse: nil) var students: [Student] = []
    var owners: [Student] = []
    init() {}
  }
}

@Suite("Notices about questionable schemas")
struct SchemaNoticeTests {
  private func notices(_ types: any PersistentModel.Type...) -> [String] { Schema(types).notices }

  @Test("A notice reports a to-one that is its own inverse")
  func ownInverse() {
    let found = notices(Unclear.Worker.self)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("Worker.boss is its own inverse: a.boss = b also sets b.boss = a.") == true)
    #expect(found.first?.contains("@Relationship(inverse: nil)") == true)
  }

  @Test("A notice reports a to-many with two candidates for its inverse")
  func unclearInverse() {
    let found = notices(Unclear.Airport.self)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("Airport.flights has no inverse") == true)
    #expect(found.first?.contains("Flight.from and Flight.to could be it") == true)
  }

  @Test("A notice reports to-manys that reference each other's class")
  func manyToMany() {
    let found = notices(Unclear.Student.self)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("Course.students and Student.courses lead to each other") == true)
    #expect(found.first?.contains(#"@Relationship(inverse: \Student.courses)"#) == true)
  }

  @Test("A notice reports a rule that deletes the owner, and names that Apple's SwiftData refuses")
  func rulesAndNames() {
    let found = notices(Unclear.Owner.self)
    #expect(found.count == 3, "\(found)")
    #expect(
      found.contains { $0.hasPrefix("Thing.owner has the delete rule .cascade") && $0.contains("all of its things") })
    #expect(found.contains { $0.hasPrefix("Owner.description has a name") })
    #expect(found.contains { $0.hasPrefix("Thing.hash has a name") })
  }

  @Test("There is no notice when the declarations are explicit")
  func clear() {
    #expect(notices(Clear.Worker.self, Clear.Airport.self, Clear.Student.self) == [])
    #expect(notices(Author.self, Book.self, Tag.self) == [])
  }

  @Test("A notice is logged once, and so is a context that is released with unsaved changes")
  func once() async {
    await #expect(processExitsWith: .success) {
      let recorder = RecordingHandler(.notice)
      LoggingSystem.bootstrap { _ in recorder }
      for _ in 0..<2 {
        let container = try ModelContainer(
          for: Unclear.Worker.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        #expect(recorder.messages.count { $0.hasPrefix("notice: Worker.boss is its own inverse") } == 1)
        let context = ModelContext(container)
        context.autosaveEnabled = false
        context.insert(Unclear.Worker())
        try context.save()
        context.insert(Unclear.Worker())
      }
      let losses = recorder.messages.filter { $0.contains("unsaved changes") }
      #expect(losses.count == 1)
      #expect(losses.first?.contains("an inserted Worker") == true)
    }
  }
}
