import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

private let isAddressSanitized = ProcessInfo.processInfo.environment["OSD_SANITIZER"] == "address"

@Suite(
  "Identifiers, regular expressions and values from outside do not accumulate in memory", .serialized,
  .enabled(if: ResidentMemory.isKnown),
  .disabled(if: isAddressSanitized, "The sanitizer holds released memory for a while."))
struct BoundedMemoryTests {
  /// In bytes. Keeping all of the values that a test sends would take more, even in the smallest form.
  private static let bound = 6 << 20

  /// Makes identifiers of rows that do not exist, as a client could that knows one identifier.
  private struct Sender {
    let genuine: PersistentIdentifier
    private let decoder = JSONDecoder()

    init(knowing genuine: PersistentIdentifier) {
      self.genuine = genuine
    }

    func identifier(_ number: Int) throws -> PersistentIdentifier {
      let store = genuine.storeIdentifier ?? ""
      let entity = ["Book", "Animal", "Cat", "Author"][number / 8 % 4]
      return switch number % 8 {
      case 0: try decode("p\(number)", of: "Entity \(number)", in: "store \(number)")
      case 1: try decode("p\(number)", of: entity, in: "store \(number)")
      case 2: try decode("p\(number)", of: "Entity \(number)", in: store)
      case 3: try decode("p\(number + 100)", of: entity, in: store)
      case 4: try decode("row \(number)", of: entity, in: store)
      case 5: try decode("t\(UUID().uuidString)", of: entity, in: "")
      case 6: try decode("t\(UUID().uuidString)", of: "Entity \(number)", in: nil)
      default: try decode("p\(Int64.max - Int64(number))", of: entity, in: store)
      }
    }

    private func decode(_ key: String, of entity: String, in store: String?) throws -> PersistentIdentifier {
      let owner = store.map { #","storeIdentifier":"\#($0)""# } ?? ""
      let text = #"{"implementation":{"primaryKey":"\#(key)","entityName":"\#(entity)"\#(owner)}}"#
      return try decoder.decode(PersistentIdentifier.self, from: Data(text.utf8))
    }
  }

  @Test("Looking up identifiers without a row does not accumulate memory")
  func identifiers() async {
    await #expect(processExitsWith: .success) {
      let container = try makeContainer(
        Author.self, Book.self, Tag.self, Animal.self, Cat.self, Dog.self, Kitten.self, Keeper.self)
      let context = ModelContext(container)
      let book = Book(isbn: "1", title: "t")
      context.insert(book)
      context.insert(Cat("Tom"))
      try context.save()
      let sender = BoundedMemoryTests.Sender(knowing: book.persistentModelID)
      var received: [PersistentIdentifier] = []
      let marker = InternedString("before the identifiers").number
      let growth = try ResidentMemory.growth(rounds: 80_000, warmUp: 16_000) { number in
        let identifier = try sender.identifier(number)
        received.append(identifier)
        let registered: Book? = context.registeredModel(for: identifier)
        let model = context.model(for: identifier)
        guard registered == nil, model !== book else { throw NotOne(count: number) }
        guard received.count == 100 else { return }
        let (one, all) = (identifier, received)
        received = []
        let isOne = #Predicate<Book> { $0.persistentModelID == one }
        let isAmong = #Predicate<Animal> { all.contains($0.persistentModelID) }
        guard try context.fetchCount(FetchDescriptor(predicate: isOne)) == 0,
          try context.fetchCount(FetchDescriptor(predicate: isAmong)) == 0,
          Set(all).intersection([book.persistentModelID]).isEmpty, all.sorted().count == 100
        else { throw NotOne(count: number) }
      }
      #expect(growth < BoundedMemoryTests.bound, "It grew by \(growth) bytes.")
      // No name of an entity or store from an unknown identifier is interned.
      let nameCount = InternedString("after the identifiers").number - marker
      #expect(nameCount < 10, "There are \(nameCount) more.")
      #expect(InternedString(known: "Entity 0") == nil)
      #expect(InternedString(known: "store 1") == nil)
      #expect(context.graph.exclusively { context.graph.registeredModels.count } <= 2)
      #expect(!context.hasChanges)
      #expect(try context.fetchCount(FetchDescriptor<Book>()) == 1)
    }
  }

  @Test(
    "Looking up identifiers without a row in a custom store does not accumulate memory",
    arguments: UnreliableConfiguration.Keys.allCases)
  func customStores(keys: UnreliableConfiguration.Keys) async {
    await #expect(processExitsWith: .success) { [keys = keys as UnreliableConfiguration.Keys] in
      let configuration = UnreliableConfiguration(keys: keys)
      let container = try ModelContainer(
        for: Author.self, Book.self, Tag.self, Animal.self, Cat.self, Dog.self, Kitten.self, Keeper.self,
        configurations: configuration)
      let context = ModelContext(container)
      let book = Book(isbn: "1", title: "t")
      context.insert(book)
      try context.save()
      let sender = BoundedMemoryTests.Sender(knowing: book.persistentModelID)
      let growth = try ResidentMemory.growth(rounds: 24_000, warmUp: 4_000) { number in
        let identifier = try sender.identifier(number)
        let registered: Book? = context.registeredModel(for: identifier)
        guard registered == nil, context.model(for: identifier) !== book else { throw NotOne(count: number) }
      }
      #expect(growth < BoundedMemoryTests.bound, "It grew by \(growth) bytes.")
      #expect(context.graph.exclusively { context.graph.registeredModels.count } == 1)
      #expect(try context.fetchCount(FetchDescriptor<Book>()) == 1)
    }
  }

  @Test("Regular expressions in predicates do not accumulate memory")
  func regularExpressions() async {
    await #expect(processExitsWith: .success) {
      let context = ModelContext(try makeLibrary())
      context.insert(Book(isbn: "1", title: "seventeen"))
      try context.save()
      let growth = try ResidentMemory.growth(rounds: 12_000, warmUp: 2_000) { number in
        let expression = try Regex("[a-f]+\(number)|(?:s|t)e.{1,\(number % 50 + 1)}n")
        let matches = #Predicate<Book> { $0.title.contains(expression) }
        guard try context.fetchCount(FetchDescriptor(predicate: matches)) == 1 else { throw NotOne(count: number) }
      }
      #expect(growth < BoundedMemoryTests.bound, "It grew by \(growth) bytes.")
    }
  }

  @Test("Values, lists of any length, limits and sort orders of fetches do not accumulate memory")
  func values() async {
    await #expect(processExitsWith: .success) {
      let context = ModelContext(try makeLibrary())
      context.insert(Book(isbn: "1", title: "seventeen", pages: 17))
      try context.save()
      let growth = try ResidentMemory.growth(rounds: 4_000, warmUp: 1_000) { number in
        let (text, list) = ("title \(number)", (0..<number % 80).map { "\(number) \($0)" })
        let set = Set((0..<number % 40).map { number + $0 + 18 })
        let isNone = #Predicate<Book> {
          $0.title.localizedStandardContains(text) || list.contains($0.title) || set.contains($0.pages)
            || $0.author?.name == text
        }
        var descriptor = FetchDescriptor(
          predicate: isNone, sortBy: [SortDescriptor(\.title, order: number.isMultiple(of: 2) ? .forward : .reverse)])
        descriptor.fetchLimit = number % 1000 + 1
        descriptor.fetchOffset = number % 700
        guard try context.fetch(descriptor).isEmpty else { throw NotOne(count: number) }
      }
      #expect(growth < BoundedMemoryTests.bound, "It grew by \(growth) bytes.")
    }
  }
}
