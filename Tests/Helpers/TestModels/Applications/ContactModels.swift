import Foundation
import SwiftData

@testable import TestSupport

// Contacts of a sales team, the companies they work for, and what is being sold to them.

enum SalesApp {
  enum Stage: String, Codable, CaseIterable, Comparable, Sendable {
    case lead, offer, won, lost

    var isResolved: Bool { self == .won || self == .lost }

    static func < (left: Self, right: Self) -> Bool {
      (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
  }

  enum Channel: String, Codable, Sendable {
    case call, mail, visit
  }

  struct Mail: Codable, Hashable, Sendable {
    var label: String?
    var address: String
  }

  struct Address: Codable, Hashable, Sendable {
    var street: String?
    var city: String
    var country: String
  }

  @Model
  final class Company {
    @Attribute(.unique) var name: String
    var site: URL?
    var headcount: Int?
    @Relationship(deleteRule: .nullify, inverse: \Contact.company) var contacts: [Contact] = []

    init(_ name: String, headcount: Int? = nil) {
      self.name = name
      self.headcount = headcount
    }
  }

  @Model
  final class Contact {
    #Unique<Contact>([\.givenName, \.familyName, \.born])
    #Index<Contact>([\.familyName, \.givenName])

    var givenName: String
    var familyName: String
    @Attribute(originalName: "birthday") var born: Date?
    var mails: [Mail] = []
    var phones: [String: String] = [:]
    var tags: Set<String> = []
    var home: Address?
    var work: Address?
    var company: Company?
    var manager: Contact?
    @Relationship(inverse: \Contact.manager) var reports: [Contact] = []
    @Relationship(deleteRule: .cascade, inverse: \Deal.contact) var deals: [Deal] = []
    @Relationship(deleteRule: .cascade, inverse: \Touch.contact) var touches: [Touch] = []

    init(_ givenName: String, _ familyName: String, born: Date? = nil, company: Company? = nil) {
      self.givenName = givenName
      self.familyName = familyName
      self.born = born
      self.company = company
    }

    var fullName: String { "\(givenName) \(familyName)" }
  }

  @Model
  final class Deal {
    var title: String
    var amount: Decimal
    var stage: Stage
    var probability: Double
    var closesOn: Date?
    var contact: Contact?

    init(_ title: String, _ amount: Decimal, _ stage: Stage, probability: Double = 0.5, closesOn: Date? = nil) {
      self.title = title
      self.amount = amount
      self.stage = stage
      self.probability = probability
      self.closesOn = closesOn
    }
  }

  @Model
  final class Touch {
    var channel: Channel
    var date: Date
    var text: String?
    var contact: Contact?

    init(_ channel: Channel, on date: Date, text: String? = nil) {
      self.channel = channel
      self.date = date
      self.text = text
    }
  }
}

extension SalesApp.Contact {
  static func predicate(searchText: String) -> Predicate<SalesApp.Contact> {
    Predicate(any: [
      #Predicate<SalesApp.Contact> { contact in
        searchText.isEmpty || contact.givenName.localizedStandardContains(searchText)
          || contact.familyName.localizedStandardContains(searchText)
      },
      #Predicate<SalesApp.Contact> { contact in
        contact.company?.name.localizedStandardContains(searchText) ?? false
      },
      #Predicate<SalesApp.Contact> { contact in
        contact.mails.contains { $0.address.localizedStandardContains(searchText) }
      },
    ])
  }

  static func silent(since date: Date) -> Predicate<SalesApp.Contact> {
    #Predicate { contact in !contact.touches.contains { $0.date >= date } }
  }
}
