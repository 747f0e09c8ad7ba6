import Foundation
import SwiftData

@testable import TestSupport

// Conversations of several people, their messages and the reactions to them.

enum MessageContent: Codable, Hashable, Sendable {
  case text
  case photo(width: Int, height: Int)
  case place(latitude: Double, longitude: Double)
}

enum DeliveryState: Int, Codable, CaseIterable, Sendable {
  case sending, sent, delivered, failed
}

@Model
final class Participant {
  #Unique<Participant>([\.handle])

  var handle: String
  var displayName: String
  var isBlocked = false
  @Attribute(.externalStorage) var avatar: Data?
  var conversations: [Conversation] = []
  @Relationship(deleteRule: .nullify, inverse: \ChatMessage.sender) var messages: [ChatMessage] = []

  init(handle: String, displayName: String) {
    self.handle = handle
    self.displayName = displayName
  }
}

@Model
final class Conversation {
  @Attribute(.unique) var identifier: UUID
  var title: String?
  var isMuted = false
  var lastReadAt: Date?
  @Relationship(inverse: \Participant.conversations) var participants: [Participant] = []
  @Relationship(deleteRule: .cascade, inverse: \ChatMessage.conversation) var messages: [ChatMessage] = []

  init(title: String? = nil, participants: [Participant] = [], lastReadAt: Date? = nil) {
    identifier = UUID()
    self.title = title
    self.participants = participants
    self.lastReadAt = lastReadAt
  }
}

@Model
final class ChatMessage {
  #Index<ChatMessage>([\.sentAt])

  var text: String
  var sentAt: Date
  var state: DeliveryState
  var content: MessageContent
  var sender: Participant?
  var conversation: Conversation?
  var replyTo: ChatMessage?
  @Relationship(inverse: \ChatMessage.replyTo) var replies: [ChatMessage] = []
  @Relationship(deleteRule: .cascade, inverse: \Reaction.message) var reactions: [Reaction] = []

  init(
    _ text: String, at sentAt: Date, from sender: Participant?, in conversation: Conversation?,
    content: MessageContent = .text
  ) {
    self.text = text
    self.sentAt = sentAt
    self.sender = sender
    self.conversation = conversation
    self.content = content
    state = .sent
  }
}

@Model
final class Reaction {
  var emoji: String
  var handle: String
  var message: ChatMessage?

  init(_ emoji: String, by handle: String) {
    self.emoji = emoji
    self.handle = handle
  }
}

extension Conversation {
  /// Conversations with a message of another person after the last one that was read.
  static func unread(for handle: String) -> Predicate<Conversation> {
    let never = Date.distantPast
    return #Predicate<Conversation> { conversation in
      conversation.messages.contains { message in
        message.sentAt > (conversation.lastReadAt ?? never) && message.sender?.handle != handle
      }
    }
  }

  /// The conversation of exactly these people.
  static func between(_ handles: Set<String>) -> Predicate<Conversation> {
    let count = handles.count
    return #Predicate<Conversation> { conversation in
      conversation.participants.count == count
        && conversation.participants.allSatisfy { handles.contains($0.handle) }
    }
  }
}

extension ChatMessage {
  static func unread(for handle: String) -> Predicate<ChatMessage> {
    let never = Date.distantPast
    return #Predicate<ChatMessage> { message in
      message.sentAt > (message.conversation?.lastReadAt ?? never) && message.sender?.handle != handle
    }
  }

  /// The last message of each conversation.
  static var latest: Predicate<ChatMessage> {
    #Predicate<ChatMessage> { message in
      !(message.conversation?.messages.contains { $0.sentAt > message.sentAt } ?? false)
    }
  }
}

/// Imports a server's messages, away from the main actor.
@ModelActor
actor MessageImporter {
  struct Parcel: Sendable {
    var conversation: UUID
    var handle: String
    var text: String
    var sentAt: Date
  }

  func importParcels(_ parcels: [Parcel]) throws -> Int {
    var imported = 0
    for parcel in parcels {
      let identifier = parcel.conversation
      let handle = parcel.handle
      let conversations = FetchDescriptor<Conversation>(predicate: #Predicate { $0.identifier == identifier })
      guard let conversation = try modelContext.fetch(conversations).first else { continue }
      var people = FetchDescriptor<Participant>(predicate: #Predicate { $0.handle == handle })
      people.fetchLimit = 1
      let sender = try modelContext.fetch(people).first ?? Participant(handle: handle, displayName: handle)
      if !conversation.participants.contains(sender) { conversation.participants.append(sender) }
      modelContext.insert(ChatMessage(parcel.text, at: parcel.sentAt, from: sender, in: conversation))
      imported += 1
    }
    try modelContext.save()
    return imported
  }
}
