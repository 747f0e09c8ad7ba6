import Foundation

/// Changes a JSON text at random positions, mostly leaving it valid JSON.
struct JSONEditor {
  var random: FuzzGenerator

  mutating func edit(_ text: String) -> String {
    guard !random.chance(6), let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else {
      return cut(text)
    }
    var edited = value
    for _ in 0...random.number(below: 3) { edited = change(edited, depth: 0) }
    guard JSONSerialization.isValidJSONObject(edited),
      let data = try? JSONSerialization.data(withJSONObject: edited, options: .sortedKeys)
    else { return "[]" }
    return String(decoding: data, as: UTF8.self)
  }

  private mutating func cut(_ text: String) -> String {
    let characters = Array(text.utf8)
    guard !characters.isEmpty else { return text }
    let start = random.number(below: characters.count)
    let end = min(characters.count, start + 1 + random.number(below: 30))
    return String(decoding: characters[..<start] + characters[end...], as: UTF8.self)
  }

  private mutating func change(_ value: Any, depth: Int) -> Any {
    let isHere = random.chance(8)
    if var array = value as? [Any], !array.isEmpty {
      let index = random.number(below: array.count)
      if !isHere {
        array[index] = change(array[index], depth: depth + 1)
      } else if random.chance(2) {
        array.remove(at: index)
      } else {
        array.append(array[index])
      }
      return array
    }
    if var object = value as? [String: Any], let key = random.element(of: object.keys.sorted()) {
      if !isHere {
        object[key] = change(object[key] ?? NSNull(), depth: depth + 1)
      } else if random.chance(2) {
        object[key] = nil
      } else {
        object[replacementText()] = object[key]
      }
      return object
    }
    switch random.number(below: 8) {
    case 0: return NSNull()
    case 1: return random.number(below: 3)
    case 2: return Int64.max
    case 3: return random.chance(2)
    case 4: return [Any]()
    case 5: return [String: Any]()
    default: return replacementText()
    }
  }

  private mutating func replacementText() -> String {
    random.element(of: [
      "", "Exhibit", "Room", "Visit", "title", "name", "_id", "room_id", "integer", "text", "real", "blob", "json",
      "a\"b", "a\u{0}b", "swiftdata_metadata", "sqlite_schema", "setNull", "cascade", "restrict", "x'; DROP TABLE Room",
      "Painting", "Exhibit_tags", "columns", "indexes", "defaultValue",
    ]) ?? ""
  }
}
