import Foundation
import FoundationSupplements
import Testing

private final class Reversing: ValueTransformer {
  override class func transformedValueClass() -> AnyClass {
    NSString.self
  }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? String).map { String($0.reversed()) }
  }
}

private final class OneWay: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool {
    false
  }
}

final class LookedUpByClass: ValueTransformer {}

@Suite("Value transformers")
struct ValueTransformerTests {
  @Test("A registered transformer is found under its name as the same instance")
  func registration() throws {
    let name = NSValueTransformerName("ValueTransformerTests.registration")
    let transformer = Reversing()
    ValueTransformer.setValueTransformer(transformer, forName: name)
    let found = try #require(ValueTransformer(forName: name))
    #expect(found === transformer)
    #expect(found.transformedValue("abc") as? String == "cba")
    #expect(found.reverseTransformedValue("cba") as? String == "abc")
    #expect(ValueTransformer.valueTransformerNames().contains(name))
  }

  @Test("A name is out of use once nil is registered under it")
  func removal() {
    let name = NSValueTransformerName("ValueTransformerTests.removal")
    ValueTransformer.setValueTransformer(Reversing(), forName: name)
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
    #expect(!ValueTransformer.valueTransformerNames().contains(name))
  }

  @Test("Looking for a subclass gives nothing when another class is registered under the name")
  func wrongClass() {
    let name = NSValueTransformerName("ValueTransformerTests.wrongClass")
    ValueTransformer.setValueTransformer(OneWay(), forName: name)
    #expect(Reversing(forName: name) == nil)
    #expect(OneWay(forName: name) != nil)
  }

  @Test("The name of a class stands for an instance of it, the same one each time")
  func nameOfClass() throws {
    let name = NSValueTransformerName("FoundationSupplementsTests.LookedUpByClass")
    let transformer = try #require(ValueTransformer(forName: name))
    #expect(transformer is LookedUpByClass)
    #expect(transformer === ValueTransformer(forName: name))
    #expect(ValueTransformer(forName: NSValueTransformerName("No.Such")) == nil)
  }

  @Test("A transformer that overrides nothing gives values as they are")
  func identity() {
    #expect(ValueTransformer().transformedValue(3) as? Int == 3)
    #expect(ValueTransformer().reverseTransformedValue("x") as? String == "x")
    #expect(ValueTransformer.allowsReverseTransformation())
    #expect(!OneWay.allowsReverseTransformation())
  }

  @Test("Going back through a transformer that cannot is a programming error")
  func noReverse() async {
    await #expect(processExitsWith: .failure) {
      _ = OneWay().reverseTransformedValue(1)
    }
  }

  @Test("Foundation's transformers of truth values are registered")
  func truthValues() throws {
    let negate = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
    let isNil = try #require(ValueTransformer(forName: .isNilTransformerName))
    let isNotNil = try #require(ValueTransformer(forName: .isNotNilTransformerName))
    #expect(negate.transformedValue(true) as? Bool == false)
    #expect(negate.reverseTransformedValue(false) as? Bool == true)
    #expect(isNil.transformedValue(nil) as? Bool == true)
    #expect(isNotNil.transformedValue(nil) as? Bool == false)
    #expect(!type(of: isNotNil).allowsReverseTransformation())
  }

  @Test("An archive holds what went into it, and data that is none gives nil")
  func archives() throws {
    let transformer = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
    let data = try #require(transformer.reverseTransformedValue(["a", "b"] as NSArray) as? Data)
    #expect(transformer.transformedValue(data) as? [String] == ["a", "b"])
    #expect(transformer.transformedValue(Data([1, 2, 3])) == nil)
    #expect(transformer.reverseTransformedValue(NSObject()) == nil)
    #expect(transformer.reverseTransformedValue("text") is Data)
  }

  @Test("Threads may register and look up at the same time")
  func concurrency() async {
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<50 {
        group.addTask {
          let name = NSValueTransformerName("ValueTransformerTests.concurrency.\(number % 5)")
          ValueTransformer.setValueTransformer(Reversing(), forName: name)
          return ValueTransformer(forName: name) != nil
        }
      }
      for await found in group { #expect(found) }
    }
  }
}
