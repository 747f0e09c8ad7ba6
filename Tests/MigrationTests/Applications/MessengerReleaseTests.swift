import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("Releases of a messenger", .serialized)
struct MessengerReleaseTests {
  private typealias V1 = MessengerReleases.V1
  private typealias V2 = MessengerReleases.V2
  private typealias V3 = MessengerReleases.V3

  private let numbers = Array(0..<48)
  private let store: ReleasedStore

  init() throws {
    store = try ReleasedStore(MessengerReleases.Plan.self, to: MessengerReleases.V3.self, MessengerReleases.calls)
  }

  private func closures(from version: Int) -> [String] {
    version == 1 ? ["V2 will", "V3 will", "V3 did"] : ["V3 will", "V3 did"]
  }

  private func members(_ number: Int) -> [Int] { [number, number + 6, number + 12, (number + 1) % 6] }

  /// In the first version the last member of a conversation is the second contact with its handle.
  private func firstMembers(_ number: Int) -> [Int] { [number, number + 6, number + 12, 24 + (number + 1) % 6] }

  /// The sender of a message: the first version has six more contacts with the handles of the first ones.
  private func sender(_ number: Int, _ version: Int) -> Int { version == 1 ? number % 30 : number % 24 }

  private func write(_ version: Int) throws {
    if version == 1 {
      try store.write(V1.self) { context in
        let contacts = (0..<30).map { V1.Contact($0, handle: MessengerReleases.handle($0 % 24)) }
        let conversations = (0..<6).map { V1.Conversation($0) }
        for contact in contacts { context.insert(contact) }
        for conversation in conversations {
          context.insert(conversation)
          conversation.members = firstMembers(conversation.number).map { contacts[$0] }
        }
        for number in numbers {
          let message = V1.Message(number)
          context.insert(message)
          message.sender = contacts[sender(number, version)]
          conversations[number % 6].messages.insert(message, at: 0)
          message.receipts = (0..<number % 3).map { V1.Receipt(opened: Varied.date($0)) }
        }
      }
    } else {
      try store.write(V2.self) { context in
        let contacts = (0..<24).map { V2.Contact($0, handle: MessengerReleases.handle($0)) }
        let conversations = (0..<6).map { V2.Conversation($0) }
        for contact in contacts { context.insert(contact) }
        for conversation in conversations {
          context.insert(conversation)
          conversation.members = members(conversation.number).map { contacts[$0] }
        }
        for number in numbers {
          let message = V2.Message(number)
          context.insert(message)
          message.sender = contacts[sender(number, version)]
          conversations[number % 6].messages.insert(message, at: 0)
          message.receipts = (0..<number % 3).map { V2.Receipt(opened: Varied.date($0)) }
        }
      }
    }
  }

  private func check(_ context: ModelContext, writtenBy version: Int) throws {
    let contacts = try context.all(V3.Contact.self, by: \.number)
    #expect(contacts.map(\.number) == Array(0..<24))
    for contact in contacts {
      let number = contact.number
      let (own, others) = (
        numbers.filter { sender($0, version) == number }, numbers.filter { sender($0, version) == number + 24 }
      )
      #expect(contact.handle == MessengerReleases.handle(number))
      #expect(contact.name == Varied.maybe(number, Varied.text(number)))
      #expect(contact.messages.map(\.number) == own + others)
      #expect(Set(contact.conversations.map(\.number)) == Set((0..<6).filter { members($0).contains(number) }))
    }
    let conversations = try context.all(V3.Conversation.self, by: \.number)
    #expect(conversations.map(\.number) == Array(0..<6))
    for conversation in conversations {
      let number = conversation.number
      #expect(conversation.title == Varied.maybe(number, Varied.text(number)))
      #expect(conversation.mutedUntil == nil)
      #expect(conversation.members.map(\.number) == members(number))
      #expect(conversation.messages.map(\.number) == numbers.reversed().filter { $0 % 6 == number })
    }
    let messages = try context.all(V3.Message.self, by: \.number)
    #expect(messages.map(\.number) == numbers)
    for message in messages {
      let number = message.number
      let hasPayload = message.payload == Varied.maybe(number, Varied.bytes(number))
      #expect(message.body == Varied.text(number))
      #expect(message.sent == Varied.date(number))
      #expect(message.isEdited == (version > 1 && number.isMultiple(of: 2)))
      #expect(hasPayload, "\(number)")
      #expect(message.sender?.number == sender(number, version) % 24)
      #expect(message.conversation?.number == number % 6)
      #expect(message.receipts.map(\.device) == (number.isMultiple(of: 10) ? ["phone", "tablet"] : []))
      #expect(message.receipts.allSatisfy { $0.opened == Varied.date(number) && $0.message === message })
    }
    #expect(try context.fetchCount(FetchDescriptor<V3.Receipt>()) == 10)
  }

  @Test("A store of each version has all values in the last version", arguments: [1, 2])
  func olderStore(version: Int) throws {
    try write(version)
    try store.migrate(running: closures(from: version)) { try check($0, writtenBy: version) }
  }

  @Test("Reopening runs no closure and changes nothing", arguments: [1, 2])
  func openingAgain(version: Int) throws {
    try write(version)
    try store.migrate(running: closures(from: version)) { _ in }
    try store.openAgain { try check($0, writtenBy: version) }
  }

  @Test("A new store opens without running a stage")
  func newStore() throws {
    try store.migrate(running: []) { context in
      #expect(try context.fetchCount(FetchDescriptor<V3.Message>()) == 0)
      let message = V3.Message(5)
      message.receipts = [V3.Receipt(opened: Varied.date(5), device: "watch")]
      context.insert(message)
      try context.save()
    }
    try store.openAgain { context in
      let message = try context.only(V3.Message.self)
      #expect(message.receipts.map(\.device) == ["watch"])
    }
  }

  @Test("Failure of any closure leaves everything unchanged", arguments: ["V2 will", "V3 will", "V3 did"])
  func failingClosure(name: String) throws {
    try write(1)
    try store.fail(at: name)
    try store.read(V1.self) { context in
      let contacts = try context.all(V1.Contact.self, by: \.number)
      #expect(contacts.map(\.handle) == (0..<30).map { MessengerReleases.handle($0 % 24) })
      #expect(contacts.map(\.name) == (0..<30).map { Varied.maybe($0, Varied.text($0)) })
      let messages = try context.all(V1.Message.self, by: \.number)
      #expect(messages.map(\.text) == numbers.map { Varied.text($0) })
      #expect(messages.map(\.sent) == numbers.map { Varied.date($0) })
      #expect(messages.map { $0.sender?.number } == numbers.map { sender($0, 1) })
      for message in messages {
        #expect(message.receipts.map(\.opened) == (0..<message.number % 3).map { Varied.date($0) })
      }
      let payloads = messages.map(\.payload) == numbers.map { Varied.maybe($0, Varied.bytes($0)) }
      #expect(payloads)
      let conversations = try context.all(V1.Conversation.self, by: \.number)
      #expect(
        conversations.map { $0.members.map(\.number) } == (0..<6).map { firstMembers($0) })
    }
    try store.migrate(running: closures(from: 1)) { try check($0, writtenBy: 1) }
  }
}
