import Foundation
import SwiftData

@testable import TestSupport

// A messenger. The second release makes the handles of contacts unique, the third one requires a device in every receipt.

enum MessengerReleases {
  static let calls = StageCalls()

  static func handle(_ number: Int) -> String { "@ü\(number)" }

  enum V1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Contact.self, Conversation.self, Message.self, Receipt.self] }

    @Model
    final class Contact {
      var number: Int
      var handle: String
      var name: String?
      var conversations: [Conversation] = []
      @Relationship(inverse: \Message.sender) var messages: [Message] = []

      init(_ number: Int, handle: String) {
        self.number = number
        self.handle = handle
        name = Varied.maybe(number, Varied.text(number))
      }
    }

    @Model
    final class Conversation {
      var number: Int
      var title: String?
      @Relationship(inverse: \Contact.conversations) var members: [Contact] = []
      @Relationship(deleteRule: .cascade, inverse: \Message.conversation) var messages: [Message] = []

      init(_ number: Int) {
        self.number = number
        title = Varied.maybe(number, Varied.text(number))
      }
    }

    @Model
    final class Message {
      #Index<Message>([\.sent])
      var number: Int
      var text: String
      var sent: Date
      @Attribute(.externalStorage) var payload: Data?
      var sender: Contact?
      var conversation: Conversation?
      @Relationship(deleteRule: .cascade, inverse: \Receipt.message) var receipts: [Receipt] = []

      init(_ number: Int) {
        self.number = number
        text = Varied.text(number)
        sent = Varied.date(number)
        payload = Varied.maybe(number, Varied.bytes(number))
      }
    }

    @Model
    final class Receipt {
      var opened: Date
      var message: Message?

      init(opened: Date) {
        self.opened = opened
      }
    }
  }

  enum V2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Contact.self, Conversation.self, Message.self, Receipt.self] }

    @Model
    final class Contact {
      var number: Int
      @Attribute(.unique) var handle: String
      var name: String?
      var conversations: [Conversation] = []
      @Relationship(inverse: \Message.sender) var messages: [Message] = []

      init(_ number: Int, handle: String) {
        self.number = number
        self.handle = handle
        name = Varied.maybe(number, Varied.text(number))
      }
    }

    @Model
    final class Conversation {
      var number: Int
      var title: String?
      @Relationship(inverse: \Contact.conversations) var members: [Contact] = []
      @Relationship(deleteRule: .cascade, inverse: \Message.conversation) var messages: [Message] = []

      init(_ number: Int) {
        self.number = number
        title = Varied.maybe(number, Varied.text(number))
      }
    }

    @Model
    final class Message {
      #Index<Message>([\.sent])
      var number: Int
      var text: String
      var sent: Date
      var isEdited = false
      @Attribute(.externalStorage) var payload: Data?
      var sender: Contact?
      var conversation: Conversation?
      @Relationship(deleteRule: .cascade, inverse: \Receipt.message) var receipts: [Receipt] = []

      init(_ number: Int) {
        self.number = number
        text = Varied.text(number)
        sent = Varied.date(number)
        isEdited = number.isMultiple(of: 2)
        payload = Varied.maybe(number, Varied.bytes(number))
      }
    }

    @Model
    final class Receipt {
      var opened: Date
      var message: Message?

      init(opened: Date) {
        self.opened = opened
      }
    }
  }

  enum V3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Contact.self, Conversation.self, Message.self, Receipt.self] }

    @Model
    final class Contact {
      var number: Int
      @Attribute(.unique) var handle: String
      var name: String?
      var conversations: [Conversation] = []
      @Relationship(inverse: \Message.sender) var messages: [Message] = []

      init(_ number: Int, handle: String) {
        self.number = number
        self.handle = handle
      }
    }

    @Model
    final class Conversation {
      var number: Int
      var title: String?
      var mutedUntil: Date?
      @Relationship(inverse: \Contact.conversations) var members: [Contact] = []
      @Relationship(deleteRule: .cascade, inverse: \Message.conversation) var messages: [Message] = []

      init(_ number: Int) {
        self.number = number
      }
    }

    @Model
    final class Message {
      #Index<Message>([\.sent])
      var number: Int
      @Attribute(originalName: "text") var body: String
      var sent: Date
      var isEdited = false
      @Attribute(.externalStorage) var payload: Data?
      var sender: Contact?
      var conversation: Conversation?
      @Relationship(deleteRule: .cascade, inverse: \Receipt.message) var receipts: [Receipt] = []

      init(_ number: Int) {
        self.number = number
        body = Varied.text(number)
        sent = Varied.date(number)
      }
    }

    @Model
    final class Receipt {
      var opened: Date
      var device: String
      var message: Message?

      init(opened: Date, device: String) {
        self.opened = opened
        self.device = device
      }
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V1.self, toVersion: V2.self,
          willMigrate: { try calls.run("V2 will", $0, mergeContacts) }, didMigrate: nil),
        .custom(
          fromVersion: V2.self, toVersion: V3.self,
          willMigrate: { try calls.run("V3 will", $0) { try $0.delete(model: V2.Receipt.self) } },
          didMigrate: { try calls.run("V3 did", $0, makeReceipts) }),
      ]
    }

    /// Keeps the first of the contacts with a handle, which gets the messages and the conversations of the others.
    private static func mergeContacts(_ context: ModelContext) throws {
      var kept: [String: V1.Contact] = [:]
      for contact in try context.all(V1.Contact.self, by: \.number) {
        guard let first = kept[contact.handle] else {
          kept[contact.handle] = contact
          continue
        }
        for message in contact.messages { message.sender = first }
        for conversation in contact.conversations { conversation.members.append(first) }
        context.delete(contact)
      }
    }

    private static func makeReceipts(_ context: ModelContext) throws {
      for message in try context.all(V3.Message.self, by: \.number) where message.number.isMultiple(of: 10) {
        for device in ["phone", "tablet"] {
          message.receipts.append(V3.Receipt(opened: message.sent, device: device))
        }
      }
    }
  }
}
