import Foundation
import Relational
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("Details of SwiftDataError")
struct SwiftDataErrorTests {
  private struct Cause: Error, CustomStringConvertible {
    var description: String { "the disk is full" }
  }

  private let error = SwiftDataError.modelValidationFailure.with(
    entity: "Trip", property: "name", message: "It is empty.", hint: "Fill it.", sql: "INSERT", underlying: Cause(),
    issues: [SwiftDataError.Issue(entity: "Trip", property: "end", message: "It is too early.")])

  @Test("Errors are equal by their kind, whatever their details")
  func equality() {
    #expect(error == .modelValidationFailure)
    #expect(error.hashValue == SwiftDataError.modelValidationFailure.hashValue)
    #expect(error != .unsupportedPredicate)
  }

  @Test("A catch clause names a kind")
  func catchClause() {
    do {
      throw error
    } catch SwiftDataError.unsupportedPredicate {
      Issue.record("Another kind was caught")
    } catch SwiftDataError.modelValidationFailure {
      #expect((error as any Error) is SwiftDataError)
    } catch {
      Issue.record("The kind was not caught")
    }
    #expect(!(SwiftDataError.modelValidationFailure ~= CancellationError()))
  }

  @Test(
    "The description contains all details",
    arguments: [
      "Trip.name", "It is empty.", "Fill it.", "INSERT", "the disk is full", "Trip.end: It is too early.",
    ])
  func fullDescription(fact: String) {
    #expect(error.description.contains(fact))
    #expect(error.debugDescription.contains(fact))
  }

  @Test("The error of a store that failed names the operation, the store, the reason and the statement")
  func storeFailureDescription() {
    let failure = SwiftDataError.storeFailure(
      .writing, store: "library", reason: .busy, message: "database is locked", sql: "INSERT")
    #expect(
      failure.description == """
        SwiftDataError.storeFailure
          Writing the store "library" failed: database is locked (busy).
          hint: Repeat the call. If that fails too, raise options.busyTimeout of the configuration, and keep transactions short.
          SQL: INSERT
        """)
    #expect((failure as any Error).localizedDescription == failure.details?.message)
    #expect(failure.details?.storeFailureReason == .busy)
    #expect(failure.details?.store == "library")
    #expect(failure.recoverySuggestion == failure.details?.hint)
    #expect(failure == .storeFailure)
  }

  @Test(
    "The error of a store that failed says what to do, by its reason",
    arguments: [
      (SwiftDataError.StoreFailureReason.busy, "busyTimeout"), (.corrupt, "backup"), (.notADatabase, "no database"),
      (.diskFull, "save again"), (.readOnly, "permissions"), (.cannotOpen, "path"), (.moved, "new location"),
      (.closed, "new ModelContainer"), (.disconnected, "repeat"), (.commitUnknown, "before you save"),
      (.targetExists, "another URL"), (.constraint, nil), (.other, nil),
    ] as [(SwiftDataError.StoreFailureReason, String?)])
  func storeFailureHint(reason: SwiftDataError.StoreFailureReason, action: String?) {
    let failure = SwiftDataError.storeFailure(.writing, store: "library", reason: reason, message: "it failed")
    if let action {
      #expect(failure.recoverySuggestion?.contains(action) == true)
    } else {
      #expect(failure.recoverySuggestion == nil)
    }
  }

  @Test("Opening a store that is busy or not writable suggests a setting")
  func openingHint() {
    let configuration = ModelConfiguration(url: URL(fileURLWithPath: "/library.store"))
    func hint(_ reason: DatabaseError.Reason) -> String? {
      StoreErrors.opening(configuration, DatabaseError(reason: reason, message: "it failed")).recoverySuggestion
    }
    #expect(hint(.busy)?.contains("busyTimeout") == true)
    #expect(hint(.readOnly)?.contains("allowsSave: false") == true)
    #expect(hint(.other) == "The file was not changed.")
  }

  @Test("A failed sum is recognized by the database's message, not by the name of the store")
  func arithmeticFailure() {
    let overflow = ArithmeticFailure.overflow
    func failure(store: String, _ message: String) -> SwiftDataError {
      .storeFailure(.reading, store: store, error: DatabaseError(reason: .other, message: message))
    }
    #expect(failure(store: "library", overflow.rawValue).arithmeticFailure == overflow)
    #expect(failure(store: overflow.rawValue, "no such table: Trip").arithmeticFailure == nil)
    #expect(failure(store: "library", ArithmeticFailure.unreadable.rawValue).arithmeticFailure == .unreadable)
  }

  @Test("The localized parts are for users")
  func localizedParts() {
    #expect((error as any Error).localizedDescription == "It is empty.")
    #expect(error.recoverySuggestion == "Fill it.")
    #expect(error.failureReason == "the disk is full")
    #expect(SwiftDataError.unknownSchema.errorDescription?.isEmpty == false)
    #expect(SwiftDataError.unknownSchema.details == nil)
    #expect(SwiftDataError.unknownSchema.description == "SwiftDataError.unknownSchema")
  }
}
