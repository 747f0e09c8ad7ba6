import Foundation
import Testing

@testable import SwiftData
@testable import TestSupport

@Suite("All values of an enumeration")
struct EnumerationCasesTests {
  private enum Direction: String {
    case north
    case south = "S"
    case east, west
  }

  private enum Digit: UInt8 {
    case nine = 9
    case one = 1
  }

  private enum Only: Int {
    case one = 7
  }

  private enum Real: Double {
    case half = 0.5
    case nothing = 0
  }

  /// Has two cases with the same raw value.
  private enum Blurred: RawRepresentable {
    case light, dark, black

    var rawValue: Int { if case .light = self { 0 } else { 1 } }

    init?(rawValue: Int) { self = rawValue == 0 ? .light : .dark }
  }

  /// Accepts more raw values than it has cases.
  private enum Lenient: RawRepresentable {
    case yes, no

    var rawValue: String { if case .yes = self { "yes" } else { "no" } }

    init?(rawValue: String) { self = rawValue.lowercased() == "yes" ? .yes : .no }
  }

  /// Does not accept its own raw values.
  private enum OneWay: RawRepresentable {
    case first, second

    var rawValue: Int { if case .first = self { 1 } else { 2 } }

    init?(rawValue: Int) { return nil }
  }

  private enum Loaded: RawRepresentable {
    case plain
    case number(Int)

    var rawValue: Int {
      switch self {
      case .plain: -1
      case .number(let number): number
      }
    }

    init?(rawValue: Int) { self = rawValue < 0 ? .plain : .number(rawValue) }
  }

  private enum Generic<Value>: String {
    case one, two
  }

  private enum Unnamed {
    case one, two
  }

  private enum Hiding: String, CaseIterable {
    case shown, hidden

    static var allCases: [Hiding] { [.shown] }
  }

  private struct Level: RawRepresentable, CaseIterable {
    var rawValue: Int

    static var allCases: [Level] { [Level(rawValue: 1), Level(rawValue: 2)] }
  }

  private enum Suit: String, CaseIterable {
    case hearts, spades
  }

  @Test("The values of an enumeration with raw values are in the order of its declaration")
  func rawValues() {
    #expect(EnumerationCases.all(of: Direction.self) == [.north, .south, .east, .west])
    #expect(EnumerationCases.all(of: Direction.self)?.map(\.rawValue) == ["north", "S", "east", "west"])
    #expect(EnumerationCases.all(of: Digit.self) == [.nine, .one])
    #expect(EnumerationCases.all(of: Real.self) == [.half, .nothing])
    #expect(EnumerationCases.all(of: Lenient.self) == [.yes, .no])
    #expect(EnumerationCases.all(of: ComparisonResult.self)?.count == 3)
  }

  @Test("The single case of an enumeration without storage is found")
  func singleCase() {
    #expect(MemoryLayout<Only>.size == 0)
    #expect(EnumerationCases.all(of: Only.self) == [.one])
  }

  @Test("Repeated queries give the same values")
  func repeatedQueries() {
    for _ in 0..<2 {
      #expect(EnumerationCases.all(of: Direction.self)?.count == 4)
      #expect(EnumerationCases.all(of: Blurred.self) == nil)
    }
  }

  @Test("The values of a type with allCases are its allCases")
  func completeAllCases() {
    #expect(EnumerationCases.all(of: Suit.self) == [.hearts, .spades])
    #expect(EnumerationCases.all(of: Level.self)?.map(\.rawValue) == [1, 2])
  }

  @Test("An incomplete allCases is not used as all values")
  func incompleteAllCases() {
    #expect(EnumerationCases.all(of: Hiding.self) == nil)
    #expect(EnumerationCases.some(of: Hiding.self) == [.shown])
  }

  @Test("Values are unknown when raw values are ambiguous or do not restore their cases")
  func ambiguousRawValues() {
    #expect(EnumerationCases.all(of: Blurred.self) == nil)
    #expect(EnumerationCases.all(of: OneWay.self) == nil)
  }

  @Test("Values of other types are unknown")
  func otherTypes() {
    #expect(EnumerationCases.all(of: Loaded.self) == nil)
    #expect(EnumerationCases.all(of: Generic<Int>.self) == nil)
    #expect(EnumerationCases.all(of: Unnamed.self) == nil)
    #expect(EnumerationCases.all(of: Options.self) == nil)
    #expect(EnumerationCases.all(of: Never.self) == nil)
    #expect(EnumerationCases.all(of: Direction?.self) == nil)
    #expect(EnumerationCases.all(of: Int.self) == nil)
    #expect(EnumerationCases.all(of: NSObject.self) == nil)
    #expect(EnumerationCases.all(of: Any.self).map { $0.count } == nil)
    #expect(EnumerationCases.all(of: (Int, Int).self).map { $0.count } == nil)
  }

  @Test("The placeholder value is the first case, and the probe values are all cases")
  func placeholderAndProbes() {
    #expect(Placeholder.value(of: Direction.self) == .north)
    #expect(Placeholder.value(of: Digit.self) == .nine)
    #expect(Samples.values(of: Direction.self) == [.north, .south, .east, .west])
  }
}
