import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

/// Types with various custom codings.
enum Coded {
  struct Plain: Codable {
    var text: String
    let number: Int?
    var list: [Int]
  }

  struct Nested: Codable {
    var plain: Plain
    var spare: Plain?
    var date: Date
  }

  struct Pair<First: Codable, Second: Codable>: Codable {
    var first: First
    var second: Second
  }

  /// Refuses its placeholder value.
  struct Picky: Codable {
    var name: String
    var size: Int

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      guard !name.isEmpty else { throw CocoaError(.coderInvalidValue) }
      size = try container.decode(Int.self, forKey: .size)
    }
  }

  struct Renamed: Codable {
    var name: String
    enum CodingKeys: String, CodingKey { case name = "n" }
  }

  struct Partial: Codable {
    var kept: String
    var left = 0
    enum CodingKeys: CodingKey { case kept }
  }

  /// Decodes another type than its property has.
  struct Converting: Codable {
    var size: Int

    enum CodingKeys: CodingKey { case size }

    init(from decoder: any Decoder) throws {
      let text = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .size)
      size = text.flatMap { Int($0) } ?? 0
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(String(size), forKey: .size)
    }
  }

  struct SingleValue: Codable {
    var word: String

    init(from decoder: any Decoder) throws {
      word = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(word)
    }
  }

  /// Encodes a key that is no property.
  struct Talkative: Codable {
    var side: Double

    enum CodingKeys: CodingKey { case side, area }

    init(from decoder: any Decoder) throws {
      side = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .side)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(side, forKey: .side)
      try container.encode(side * side, forKey: .area)
    }
  }

  struct Empty: Codable {}

  final class Reference: Codable {
    var name = ""
  }

  enum Shape: Codable {
    case circle(radius: Double)
    case label(String)
  }

  enum Rank: Int, Codable {
    case low = 3
    case high = 7
  }

  struct Flags: OptionSet, Codable {
    var rawValue: Int
  }
}

@Suite("Storage of an attribute's value")
struct AttributeStorageTests {
  private func storage(_ type: Any.Type, _ options: Schema.Attribute.Option...) -> AttributeStorage {
    AttributeStorage(valueType: type, options: options)
  }

  private func kind(_ type: Any.Type, _ options: Schema.Attribute.Option...) -> String {
    switch AttributeStorage(valueType: type, options: options) {
    case .primitive: "primitive"
    case .rawRepresentable: "raw"
    case .composite(let fields): "composite " + fields.map(\.name).joined(separator: " ")
    case .json: "json"
    case .transformable: "transformable"
    case .unsupported: "unsupported"
    }
  }

  @Test(
    "Primitive types have columns of their own",
    arguments: [
      String.self, Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
      UInt16.self, UInt32.self, UInt64.self, Float.self, Double.self, Decimal.self, Date.self, UUID.self, Data.self,
      URL.self, String?.self, Date?.self,
    ] as [any Sendable.Type])
  func primitiveTypes(type: any Sendable.Type) {
    #expect(kind(type) == "primitive")
  }

  @Test("Enums and option sets are stored as their raw values")
  func enumsAndOptionSets() {
    #expect(kind(Coded.Rank.self) == "raw")
    #expect(kind(Coded.Rank?.self) == "raw")
    #expect(kind(Coded.Flags.self) == "raw")
  }

  @Test("A struct with a synthesized coding has a column for each field")
  func structCodesItself() {
    #expect(kind(Coded.Plain.self) == "composite text number list")
    #expect(kind(Coded.Plain?.self) == "composite text number list")
    #expect(kind(Coded.Nested.self) == "composite plain spare date")
    #expect(kind(Coded.Pair<Int, String>.self) == "composite first second")
    #expect(kind(Coded.Picky.self) == "composite name size")
  }

  @Test("Fields of composites may be composites")
  func nestedComposites() throws {
    let fields = storage(Coded.Nested.self).fields
    #expect(fields.map { !$0.storage.fields.isEmpty } == [true, true, false])
    let spare = try #require(fields.first { $0.name == "spare" })
    #expect(ObjectIdentifier(spare.valueType) == ObjectIdentifier(Coded.Plain?.self))
  }

  @Test(
    "Every other Codable type is stored with its own coding in one column",
    arguments: [
      Coded.Renamed.self, Coded.Partial.self, Coded.Converting.self, Coded.SingleValue.self, Coded.Talkative.self,
      Coded.Empty.self, Coded.Reference.self, Coded.Shape.self, [Int].self, Set<String>.self, [String: Int].self,
      Range<Int>.self, Measurement<Unit>.self, Locale.self, [Coded.Plain].self, CGPoint.self, Int??.self,
    ] as [Any.Type])
  func otherCodableTypes(type: Any.Type) {
    #expect(kind(type) == "json")
  }

  @Test("Attribute options take precedence over the type")
  func optionsTakePrecedence() {
    #expect(kind(Coded.Plain.self, .codable) == "json")
    #expect(kind(Coded.Plain.self, .transformable(by: "X")) == "transformable")
    #expect(kind((() -> Void).self, .transformable(by: "X")) == "transformable")
    #expect(kind((() -> Void).self) == "unsupported")
  }
}
