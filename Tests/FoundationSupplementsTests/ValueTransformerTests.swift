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

final class Stranger: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}
}

final class Careless: NSObject, NSCoding {
  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}
}

private final class StrangersAllowed: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] {
    super.allowedTopLevelClasses + [Stranger.self, Careless.self]
  }
}

/// An archive in XML of objects that are numbered from 1 on; the first is the root.
struct WrittenArchive: Sendable {
  enum Object: Sendable {
    case text(String)
    /// A class.
    case named(String)
    case list([Int], class: Int)
    case table(keys: [Int], values: [Int], class: Int)
    case address(relative: Int, class: Int)
  }

  let objects: [Object]

  init(_ objects: [Object]) {
    self.objects = objects
  }

  var data: Data {
    Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
      <key>$top</key><dict><key>root</key>\(Self.reference(1))</dict>
      <key>$objects</key><array><string>$null</string>\(objects.map(Self.xml).joined())</array>
      </dict></plist>
      """.utf8)
  }

  private static func reference(_ number: Int) -> String {
    "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
  }

  private static func references(_ numbers: [Int]) -> String {
    "<array>\(numbers.map(reference).joined())</array>"
  }

  private static func xml(_ object: Object) -> String {
    switch object {
    case .text(let text):
      "<string>\(text)</string>"
    case .named(let name):
      "<dict><key>$classname</key><string>\(name)</string></dict>"
    case .list(let members, let type):
      "<dict><key>NS.objects</key>\(references(members))<key>$class</key>\(reference(type))</dict>"
    case .table(let keys, let values, let type):
      "<dict><key>NS.keys</key>\(references(keys))<key>NS.objects</key>\(references(values))"
        + "<key>$class</key>\(reference(type))</dict>"
    case .address(let relative, let type):
      "<dict><key>NS.relative</key>\(reference(relative))<key>$class</key>\(reference(type))</dict>"
    }
  }

  static let damaged: [WrittenArchive] = [
    // A list that contains itself, directly or through another list.
    WrittenArchive([.list([1], class: 2), .named("NSArray")]),
    WrittenArchive([.list([2], class: 3), .list([1], class: 3), .named("NSArray")]),
    nested(2_000),
    // References to missing objects, and to a class that is none.
    WrittenArchive([.list([9], class: 2), .named("NSArray")]),
    WrittenArchive([.list([], class: 9)]),
    WrittenArchive([.list([], class: 2), .text("NSArray")]),
    WrittenArchive([.list([], class: 2), .named("No.Such")]),
    // A dictionary with fewer values than keys.
    WrittenArchive([.table(keys: [3], values: [], class: 2), .named("NSDictionary"), .text("a")]),
    // An address whose text is a list.
    WrittenArchive([.address(relative: 3, class: 2), .named("NSURL"), .list([], class: 4), .named("NSArray")]),
  ]

  /// A list in a list, and so on.
  static func nested(_ count: Int) -> WrittenArchive {
    var objects: [Object] = [.list([3], class: 2), .named("NSArray")]
    for next in 4...(count + 2) { objects.append(.list([next], class: 2)) }
    return WrittenArchive(objects + [.text("end")])
  }
}

/// Contains Foundation's objects.
final class Palette: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  let names: [String]
  private let odd: NSUUID?

  init(_ names: [String] = [], odd: NSUUID? = nil) {
    self.names = names
    self.odd = odd
  }

  init?(coder: NSCoder) {
    names = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "names") as? [String] ?? []
    odd = nil
  }

  func encode(with coder: NSCoder) {
    if let odd { coder.encode(odd, forKey: "names") } else { coder.encode(names as NSArray, forKey: "names") }
  }
}

final class PaletteTransformer: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] { [Palette.self] }
}

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

  @Test("Registering nil removes the name")
  func removal() {
    let name = NSValueTransformerName("ValueTransformerTests.removal")
    ValueTransformer.setValueTransformer(Reversing(), forName: name)
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
    #expect(!ValueTransformer.valueTransformerNames().contains(name))
  }

  @Test("Lookup by a subclass returns nil if the name belongs to another class")
  func wrongClass() {
    let name = NSValueTransformerName("ValueTransformerTests.wrongClass")
    ValueTransformer.setValueTransformer(OneWay(), forName: name)
    #expect(Reversing(forName: name) == nil)
    #expect(OneWay(forName: name) != nil)
  }

  @Test("The name of a class finds one instance of it, always the same")
  func nameOfClass() throws {
    let name = NSValueTransformerName("FoundationSupplementsTests.LookedUpByClass")
    let transformer = try #require(ValueTransformer(forName: name))
    #expect(transformer is LookedUpByClass)
    #expect(transformer === ValueTransformer(forName: name))
    #expect(ValueTransformer(forName: NSValueTransformerName("No.Such")) == nil)
  }

  @Test("A transformer that overrides nothing returns values unchanged")
  func identity() {
    #expect(ValueTransformer().transformedValue(3) as? Int == 3)
    #expect(ValueTransformer().reverseTransformedValue("x") as? String == "x")
    #expect(ValueTransformer.allowsReverseTransformation())
    #expect(!OneWay.allowsReverseTransformation())
  }

  @Test("Reversing a transformer that does not allow it is a programming error")
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

  @Test("An archive restores its values, and invalid data gives nil")
  func archives() throws {
    let transformer = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
    let data = try #require(transformer.reverseTransformedValue(["a", "b"] as NSArray) as? Data)
    #expect(transformer.transformedValue(data) as? [String] == ["a", "b"])
    #expect(transformer.transformedValue(Data([1, 2, 3])) == nil)
    #expect(transformer.reverseTransformedValue(NSObject()) == nil)
    #expect(transformer.reverseTransformedValue("text") is Data)
  }

  @Test("Archives of all allowed classes are restored, nested and shared")
  func archivesOfEverything() throws {
    let transformer = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
    let base = try #require(NSURL(string: "https://example.org/a/"))
    let shared = NSUUID()
    let everything: NSDictionary = [
      "list": ["ä€😀", 7, 2.5, true, NSNull()] as NSArray, "set": NSSet(array: ["x", "y"]), "empty": NSArray(),
      "date": NSDate(timeIntervalSinceReferenceDate: 9), "data": NSData(data: Data(repeating: 5, count: 300)),
      "address": base, "first": shared, "second": shared, "long": String(repeating: "long ", count: 100),
    ]
    let data = try #require(transformer.reverseTransformedValue(everything) as? Data)
    let read = try #require(transformer.transformedValue(data) as? NSDictionary)
    #expect(read.count == 9)
    #expect((read.object(forKey: "list") as? NSArray)?.count == 5)
    #expect((read.object(forKey: "list") as? NSArray)?.firstObject as? String == "ä€😀")
    #expect((read.object(forKey: "set") as? NSSet)?.count == 2)
    #expect((read.object(forKey: "long") as? String)?.count == 500)
    #expect(read.object(forKey: "address") != nil && read.object(forKey: "second") != nil)
    let deep = try #require(transformer.transformedValue(WrittenArchive.nested(400).data) as? NSArray)
    #expect((deep.firstObject as? NSArray)?.count == 1)
  }

  @Test("An archive with an object of a class that is not allowed gives nil")
  func archivesOfOtherClasses() throws {
    let stranger = try NSKeyedArchiver.archivedData(withRootObject: Stranger(), requiringSecureCoding: true)
    #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(stranger) == nil)
    let list = NSArray(object: Stranger())
    let within = try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
    #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(within) == nil)
    #expect(StrangersAllowed().transformedValue(stranger) is Stranger)
    #expect((StrangersAllowed().transformedValue(within) as? NSArray)?.firstObject is Stranger)
    let insecure = try NSKeyedArchiver.archivedData(withRootObject: Careless(), requiringSecureCoding: false)
    #expect(StrangersAllowed().transformedValue(insecure) == nil)
  }

  @Test("A subclass's own classes may contain anything, and mismatches do not crash")
  func ownClasses() throws {
    let palette = Palette(["red", "green"])
    let data = try #require(PaletteTransformer().reverseTransformedValue(palette) as? Data)
    #expect((PaletteTransformer().transformedValue(data) as? Palette)?.names == ["red", "green"])
    // The default transformer does not write what it would not read.
    #expect(NSSecureUnarchiveFromDataTransformer().reverseTransformedValue(NSArray(object: palette)) == nil)
    let odd = try NSKeyedArchiver.archivedData(withRootObject: Palette(odd: NSUUID()), requiringSecureCoding: true)
    #expect((PaletteTransformer().transformedValue(odd) as? Palette)?.names == [])
  }

  @Test("An archive in XML restores its values")
  func archivesInXML() {
    let data = WrittenArchive([.list([2, 2], class: 3), .text("a"), .named("NSArray")]).data
    #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(data) as? [String] == ["a", "a"])
  }

  @Test("Invalid archives give nil", arguments: WrittenArchive.damaged)
  func damagedArchives(archive: WrittenArchive) throws {
    #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(archive.data) == nil)
    let list = try PropertyListSerialization.propertyList(from: archive.data, options: [], format: nil)
    let binary = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(binary) == nil)
  }

  @Test("An archive with missing or changed parts does not crash")
  func cutArchives() throws {
    let transformer = NSSecureUnarchiveFromDataTransformer()
    let data = try #require(transformer.reverseTransformedValue(["a": [1, 2]] as NSDictionary) as? Data)
    for count in 0..<data.count { _ = transformer.transformedValue(data.prefix(count)) }
    #expect(transformer.transformedValue(data.prefix(data.count / 2)) == nil)
  }

  @Test("Threads may register and look up concurrently")
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
