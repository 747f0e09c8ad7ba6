import Foundation
import SwiftData

@testable import TestSupport

// A lending library: works, their copies, loans, and waiting readers.

enum LendingLibrary {
  enum Condition: Int, Codable, Comparable, CaseIterable, Sendable {
    case worn, good, new

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  @Model
  final class Writer {
    var surname: String
    var givenName: String?
    var works: [Work] = []

    init(_ surname: String, _ givenName: String? = nil) {
      self.surname = surname
      self.givenName = givenName
    }
  }

  @Model
  final class Work {
    @Attribute(.unique) var isbn: String
    var title: String
    var subjects: Set<String>
    var year: Int?
    @Relationship(inverse: \Writer.works) var writers: [Writer]
    @Relationship(deleteRule: .cascade, inverse: \Copy.work) var copies: [Copy] = []
    @Relationship(deleteRule: .cascade, inverse: \Hold.work) var holds: [Hold] = []

    init(isbn: String, title: String, year: Int? = nil, writers: [Writer], subjects: Set<String> = []) {
      self.isbn = isbn
      self.title = title
      self.year = year
      self.writers = writers
      self.subjects = subjects
    }
  }

  @Model
  final class Copy {
    @Attribute(.unique) var barcode: Int
    var condition: Condition
    var work: Work?
    @Relationship(deleteRule: .cascade, inverse: \Loan.copy) var loans: [Loan] = []

    init(barcode: Int, condition: Condition = .good) {
      self.barcode = barcode
      self.condition = condition
    }
  }

  @Model
  final class Member {
    @Attribute(.unique) var card: String
    var name: String
    var loanLimit: Int
    var expires: Date
    @Relationship(deleteRule: .deny, inverse: \Loan.member) var loans: [Loan] = []
    @Relationship(deleteRule: .cascade, inverse: \Hold.member) var holds: [Hold] = []

    init(card: String, name: String, loanLimit: Int, expires: Date) {
      self.card = card
      self.name = name
      self.loanLimit = loanLimit
      self.expires = expires
    }
  }

  @Model
  final class Loan {
    var lentAt: Date
    var dueAt: Date
    var returnedAt: Date?
    var copy: Copy?
    var member: Member?

    init(_ copy: Copy?, to member: Member, at lentAt: Date, days: Int, returnedAt: Date? = nil) {
      self.copy = copy
      self.member = member
      self.lentAt = lentAt
      dueAt = lentAt.addingTimeInterval(Double(days) * 86_400)
      self.returnedAt = returnedAt
    }
  }

  @Model
  final class Hold {
    var placedAt: Date
    var work: Work?
    var member: Member?

    init(_ work: Work, for member: Member, at placedAt: Date) {
      self.work = work
      self.member = member
      self.placedAt = placedAt
    }
  }
}

extension LendingLibrary.Work {
  /// Works with a copy on the shelf.
  static var available: Predicate<LendingLibrary.Work> {
    #Predicate { work in
      work.copies.contains { copy in !copy.loans.contains { $0.returnedAt == nil } }
    }
  }
}

extension LendingLibrary.Loan {
  static func overdue(at now: Date) -> Predicate<LendingLibrary.Loan> {
    #Predicate { $0.returnedAt == nil && $0.dueAt < now }
  }
}
