import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Placeholder values")
struct PlaceholderTests {
  private enum Letter: String, CaseIterable {
    case a, b
  }

  private enum Word: String, Codable {
    case hello
  }

  private indirect enum Tree: Codable {
    case node(Tree, Tree)
    case leaf(String)
  }

  private enum Named: Codable {
    case name(String)
  }

  private enum Nothing {}

  private struct Pointers {
    var pointer: UnsafeRawPointer
  }

  /// Its decoding refuses every value.
  private struct Address: Codable {
    struct Refused: Error {}

    let text: String
    let labels: [String: [Int]]
    let verified: Date?

    init(from decoder: any Decoder) throws {
      throw Refused()
    }
  }

  private struct Numbers {
    var one: Int
    var two: Double
  }

  private func placeholder<Value>(_ type: Value.Type) -> Value? {
    Placeholder.value(of: type)
  }

  @Test("Placeholders of optionals are nil, of numbers zero, of collections empty")
  func simpleTypes() {
    #expect(placeholder(Int?.self) == .some(nil))
    #expect(placeholder(UInt16.self) == 0)
    #expect(placeholder(Decimal.self) == 0)
    #expect(placeholder(String.self) == "")
    #expect(placeholder([Date].self) == [])
    #expect(placeholder(Set<Int>.self) == [])
    #expect(placeholder([String: Int].self) == [:])
    #expect(placeholder(Coded.Flags.self)?.rawValue == 0)
  }

  @Test("The placeholder of an enum is one of its cases")
  func enumStandsCases() {
    #expect(placeholder(Letter.self) == .a)
    #expect(placeholder(Word.self) == .hello)
    #expect(placeholder(Coded.Rank.self) == .low)
    #expect(placeholder(Coded.Shape.self) != nil)
    #expect(placeholder(Named.self) != nil)
  }

  @Test("The placeholder of a struct has placeholders in its fields")
  func structMadeFields() throws {
    let nested = try #require(placeholder(Coded.Nested.self))
    #expect(nested.plain.text == "")
    #expect(nested.plain.number == nil)
    #expect(nested.spare == nil)
    #expect(placeholder(Numbers.self)?.two == 0)
    #expect(placeholder(CGPoint.self) == .zero)
  }

  @Test("The placeholder of a model is transient")
  func model() {
    #expect(placeholder(Household.Pet.self)?.modelContext == nil)
  }

  @Test("The placeholder of a struct whose decoding fails has placeholders in its fields")
  func structRefusesEvery() throws {
    let address = try #require(placeholder(Address.self))
    #expect(address.text == "")
    #expect(address.labels.isEmpty)
    #expect(address.verified == nil)
    let pair = try #require(placeholder([String: Address].self))
    #expect(pair.isEmpty)
  }

  @Test("Types without a safe placeholder give nil")
  func typesWithoutPlaceholder() {
    #expect(placeholder(Never.self) == nil)
    #expect(placeholder(Nothing.self) == nil)
    #expect(placeholder(Tree.self) == nil)
    #expect(placeholder(Pointers.self) == nil)
    #expect(placeholder((() -> Void).self) == nil)
  }
}
