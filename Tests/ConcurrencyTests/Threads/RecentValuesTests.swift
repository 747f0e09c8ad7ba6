import Support
import Testing

@Suite("A cache of recently used values")
struct RecentValuesTests {
  @Test("The cache never has more values than its capacity", arguments: [0, 1, 2, 3, 10, 256])
  func capacity(_ capacity: Int) {
    var values = RecentValues<Int, Int>(capacity: capacity)
    var largest = 0
    for number in 0..<2000 {
      values[number] = number
      largest = max(largest, values.count)
      if number.isMultiple(of: 7) { _ = values[number / 2] }
      largest = max(largest, values.count)
    }
    #expect(largest <= max(2, capacity))
  }

  @Test("The cache keeps at least half of its capacity", arguments: [2, 10, 256])
  func kept(_ capacity: Int) {
    var values = RecentValues<Int, Int>(capacity: capacity)
    for number in 0..<1000 {
      values[number] = number
      for recent in max(0, number - capacity / 2 + 1)...number { #expect(values[recent] == recent) }
    }
  }

  @Test("Using a value keeps it in the cache")
  func used() {
    var values = RecentValues<String, Int>(capacity: 4)
    values["kept"] = 0
    for number in 1...100 {
      values["\(number)"] = number
      #expect(values["kept"] == 0)
    }
    values["kept"] = nil
    #expect(values["kept"] == nil)
    values["kept"] = 1
    values["kept"] = 2
    #expect(values["kept"] == 2)
    #expect(values.count <= 4)
  }
}
