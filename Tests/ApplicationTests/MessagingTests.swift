import Foundation
import SwiftData
import Testing

@testable import TestModels
@testable import TestSupport

@Suite("A messaging app")
struct MessagingTests {
  private let context: ModelContext
  private let me = "me@example.org"

  init() throws {
    let schema = Schema([Conversation.self, Participant.self, ChatMessage.self, Reaction.self])
    let container = try ModelContainer(
      for: schema, configurations: [ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)])
    context = ModelContext(container)
    context.allowsInMemoryEvaluation = false
    try fill()
  }

  private func fill() throws {
    let mine = Participant(handle: me, displayName: "Me")
    let ada = Participant(handle: "ada@example.org", displayName: "Ada Lovelace")
    let bob = Participant(handle: "bob@example.org", displayName: "Bob")
    let spam = Participant(handle: "spam@example.org", displayName: "Lottery")
    spam.isBlocked = true
    let withAda = Conversation(participants: [mine, ada], lastReadAt: Timeline.date(2024, 5, 1, 12))
    let trip = Conversation(title: "Trip", participants: [mine, ada, bob], lastReadAt: Timeline.date(2024, 5, 2))
    let lottery = Conversation(participants: [mine, spam])
    let empty = Conversation(title: "Nothing", participants: [mine, bob], lastReadAt: Timeline.date(2024, 1, 1))
    for conversation in [withAda, trip, lottery, empty] { context.insert(conversation) }

    let hello = ChatMessage("Hello", at: Timeline.date(2024, 5, 1, 10), from: ada, in: withAda)
    let answer = ChatMessage("Hello yourself", at: Timeline.date(2024, 5, 1, 11), from: mine, in: withAda)
    answer.replyTo = hello
    let engine = ChatMessage("The engine runs", at: Timeline.date(2024, 5, 1, 13), from: ada, in: withAda)
    let picture = ChatMessage(
      "", at: Timeline.date(2024, 5, 1, 14), from: ada, in: withAda, content: .photo(width: 40, height: 30))
    let question = ChatMessage("Where to?", at: Timeline.date(2024, 5, 1, 9), from: bob, in: trip)
    let peru = ChatMessage("Perú!", at: Timeline.date(2024, 5, 3), from: mine, in: trip)
    peru.replyTo = question
    peru.state = .failed
    let prize = ChatMessage("You won a prize", at: Timeline.date(2024, 4, 1), from: spam, in: lottery)
    for message in [hello, answer, engine, picture, question, peru, prize] { context.insert(message) }
    engine.reactions = [Reaction("👍", by: me), Reaction("🎉", by: "bob@example.org")]
    peru.reactions = [Reaction("👍🏽", by: "ada@example.org")]
    try context.save()
  }

  private func texts(_ predicate: Predicate<ChatMessage>) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.sentAt)])).map(\.text)
  }

  private func conversations(_ predicate: Predicate<Conversation>) throws -> Set<String> {
    let found = try context.fetch(FetchDescriptor(predicate: predicate))
    return Set(found.map { $0.title ?? $0.participants.map(\.displayName).sorted().joined(separator: "+") })
  }

  @Test("Unread messages are found, and conversations with unread messages")
  func unread() throws {
    #expect(try texts(ChatMessage.unread(for: me)) == ["You won a prize", "The engine runs", ""])
    #expect(try conversations(Conversation.unread(for: me)) == ["Ada Lovelace+Me", "Lottery+Me"])
    #expect(try context.fetchCount(FetchDescriptor(predicate: Conversation.unread(for: "bob@example.org"))) == 3)
  }

  @Test("The unread messages of each conversation are counted")
  func unreadCounts() throws {
    let unread = FetchDescriptor(predicate: ChatMessage.unread(for: me))
    let groups = try context.fetchGroups(
      by: \.conversation, computing: .count, matching: unread, sortBy: [.init(.count, order: .reverse)])
    #expect(groups.map(\.value) == [2, 1])
    #expect(groups.map { $0.key?.participants.count } == [2, 2])
    #expect(groups.first?.key?.lastReadAt == Timeline.date(2024, 5, 1, 12))
  }

  @Test("The latest message of each conversation is found")
  func latest() throws {
    #expect(try texts(ChatMessage.latest) == ["You won a prize", "", "Perú!"])
    let groups = try context.fetchGroups(
      by: \.conversation, computing: .maximum(of: \ChatMessage.sentAt),
      sortBy: [.init(.maximum(of: \.sentAt), order: .reverse)])
    #expect(groups.map { $0.key?.title } == ["Trip", nil, nil])
    #expect(
      groups.map(\.value) == [Timeline.date(2024, 5, 3), Timeline.date(2024, 5, 1, 14), Timeline.date(2024, 4, 1)])
  }

  @Test("The conversation with exactly these participants is found")
  func between() throws {
    #expect(try conversations(Conversation.between([me, "ada@example.org"])) == ["Ada Lovelace+Me"])
    #expect(try conversations(Conversation.between([me, "ada@example.org", "bob@example.org"])) == ["Trip"])
    #expect(try conversations(Conversation.between(["ada@example.org", "bob@example.org"])).isEmpty)
  }

  @Test(
    "Messages are found by texts, senders and titles",
    arguments: [
      ("peru", ["Perú!"]), ("LOVELACE", ["Hello", "The engine runs", ""]), ("trip", ["Where to?", "Perú!"]),
      ("hello", ["Hello", "Hello yourself"]),
    ])
  func search(text: String, expected: [String]) throws {
    let inMessage = #Predicate<ChatMessage> { message in
      message.text.localizedStandardContains(text)
        || (message.sender?.displayName.localizedStandardContains(text) ?? false)
    }
    let inTitle = #Predicate<ChatMessage> { message in
      message.conversation?.title?.localizedStandardContains(text) == true
    }
    #expect(try texts(Predicate(any: [inMessage, inTitle])) == expected)
  }

  @Test("Conversations with blocked people are excluded")
  func blocked() throws {
    #expect(try texts(#Predicate { $0.sender?.isBlocked == true }) == ["You won a prize"])
    #expect(
      try conversations(#Predicate { conversation in !conversation.participants.contains { $0.isBlocked } })
        == ["Ada Lovelace+Me", "Trip", "Nothing"])
    #expect(try conversations(#Predicate { $0.messages.isEmpty && $0.title != nil }) == ["Nothing"])
  }

  @Test("Reactions are found, and replies to a person")
  func reactions() throws {
    let handle = me
    #expect(
      try texts(#Predicate { message in message.reactions.contains { $0.handle == handle } }) == ["The engine runs"])
    #expect(
      try texts(#Predicate { message in message.reactions.contains { $0.emoji == "👍" } }) == ["The engine runs"])
    #expect(try texts(#Predicate { $0.replyTo?.sender?.handle == "ada@example.org" }) == ["Hello yourself"])
    #expect(try texts(#Predicate { $0.replyTo != nil && $0.sender?.handle == handle }) == ["Hello yourself", "Perú!"])
    #expect(
      try texts(#Predicate { message in message.replies.contains { $0.state.rawValue == 3 } }) == ["Where to?"])
    #expect(
      try texts(
        #Predicate { message in
          message.replies.contains { $0.sentAt > message.sentAt && $0.conversation == message.conversation }
        }) == ["Where to?", "Hello"])
  }

  @Test("The people whom a person has written to are found, and people without messages")
  func people() throws {
    func names(_ predicate: Predicate<Participant>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.displayName)]))
        .map(\.displayName)
    }
    let cutoff = Timeline.date(2024, 5, 2)
    #expect(
      try names(
        #Predicate { person in
          person.conversations.contains { conversation in conversation.messages.contains { $0.sentAt > cutoff } }
        }) == ["Ada Lovelace", "Bob", "Me"])
    let handle = me
    #expect(
      try names(
        #Predicate { person in
          person.handle != handle
            && person.conversations.filter { $0.participants.contains { $0.handle == handle } }.count >= 2
        }) == ["Ada Lovelace", "Bob"])
    #expect(
      try names(#Predicate { person in person.messages.filter { $0.sentAt > cutoff }.isEmpty && !person.isBlocked })
        == ["Ada Lovelace", "Bob"])
  }

  @Test("Messages are filtered by delivery state")
  func states() throws {
    let failed = DeliveryState.failed
    #expect(try texts(#Predicate { $0.state == failed }) == ["Perú!"])
    let states: Set<DeliveryState> = [.sending, .failed]
    #expect(try texts(#Predicate { states.contains($0.state) }) == ["Perú!"])
    let groups = try context.fetchGroups(by: \ChatMessage.state, computing: .count)
    #expect(groups.map(\.key) == [.sent, .failed])
    #expect(groups.map(\.value) == [6, 1])
  }

  @Test("An error names the part of a predicate about an enumeration with associated values that has no SQL")
  func payloads() throws {
    let content = MessageContent.photo(width: 40, height: 30)
    let photos = FetchDescriptor<ChatMessage>(predicate: #Predicate { $0.content == content })
    #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(photos) }
    context.allowsInMemoryEvaluation = true
    #expect(try context.fetch(photos).map(\.sentAt) == [Timeline.date(2024, 5, 1, 14)])
  }

  @Test("A message being sent is counted, and a withdrawn one is not")
  func pending() throws {
    context.allowsInMemoryEvaluation = true
    let empty = try #require(
      try context.fetch(FetchDescriptor<Conversation>(predicate: #Predicate { $0.title == "Nothing" })).first)
    let bob = try #require(empty.participants.first { $0.displayName == "Bob" })
    let draft = ChatMessage("Anyone here?", at: Timeline.date(2024, 6, 1), from: bob, in: empty)
    context.insert(draft)
    #expect(try conversations(Conversation.unread(for: me)) == ["Ada Lovelace+Me", "Lottery+Me", "Nothing"])
    #expect(try texts(ChatMessage.latest).last == "Anyone here?")
    let unread = FetchDescriptor(predicate: ChatMessage.unread(for: me))
    let groups = try context.fetchGroups(by: \.conversation?.title, computing: .count, matching: unread)
    #expect(groups.map(\.key) == [nil, "Nothing"])
    #expect(groups.map(\.value) == [3, 1])
    context.delete(draft)
    #expect(try conversations(Conversation.unread(for: me)) == ["Ada Lovelace+Me", "Lottery+Me"])
  }

  @Test("The main context merges what an actor imports")
  func importing() async throws {
    let trip = try #require(
      try context.fetch(FetchDescriptor<Conversation>(predicate: #Predicate { $0.title == "Trip" })).first)
    let identifier = trip.identifier
    let importer = MessageImporter(modelContainer: context.container)
    let parcels = (1...3).map { day in
      MessageImporter.Parcel(
        conversation: identifier, handle: day == 3 ? "eve@example.org" : "bob@example.org", text: "Day \(day)",
        sentAt: Timeline.date(2024, 7, day))
    }
    let stray = MessageImporter.Parcel(
      conversation: UUID(), handle: "eve@example.org", text: "Lost", sentAt: Timeline.date(2024, 7, 9))
    #expect(try await importer.importParcels(parcels + [stray]) == 3)
    let fresh = ModelContext(context.container)
    let messages = FetchDescriptor<ChatMessage>(
      predicate: #Predicate { $0.conversation?.identifier == identifier }, sortBy: [SortDescriptor(\.sentAt)])
    #expect(try fresh.fetch(messages).map(\.text) == ["Where to?", "Perú!", "Day 1", "Day 2", "Day 3"])
    #expect(try fresh.fetchCount(FetchDescriptor<Participant>()) == 5)
    #expect(try context.fetchCount(FetchDescriptor(predicate: Conversation.between([me, "bob@example.org"]))) == 1)
  }
}
