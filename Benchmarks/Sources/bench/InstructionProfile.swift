/// The instructions of a run by purpose, from a file of callgrind.
struct InstructionProfile {
  enum Purpose: String, CaseIterable {
    case sqlite = "SQLite"
    case allocation
    case references = "reference counts"
    case text = "making text"
    case runtime = "Swift's libraries"
    case program = "peer and library"
    case other
  }

  private(set) var counts: [Purpose: Int] = [:]

  var total: Int { counts.values.reduce(0, +) }

  init(callgrind text: String) {
    var names = Names()
    var object = ""
    var function = ""
    var isCallee = false
    for line in text.split(separator: "\n") {
      if let name = names.name(line, "ob=") {
        object = name
      } else if let name = names.name(line, "fn=") {
        function = name
      } else if line.hasPrefix("cob=") {
        _ = names.name(line.dropFirst(), "ob=")
      } else if line.hasPrefix("cfn=") {
        _ = names.name(line.dropFirst(), "fn=")
      } else if line.hasPrefix("calls=") {
        // The next line has the cost of the called function.
        isCallee = true
      } else if let first = line.first, "0123456789+-*".contains(first) {
        defer { isCallee = false }
        guard !isCallee, let count = line.split(separator: " ").last.flatMap({ Int($0) }) else { continue }
        counts[Self.purpose(of: function, in: object), default: 0] += count
      }
    }
  }

  private static func purpose(of function: String, in object: String) -> Purpose {
    if object.contains("libsqlite3") { return .sqlite }
    if allocating.contains(where: function.hasPrefix) { return .allocation }
    if counting.contains(where: function.contains) { return .references }
    if textual.contains(where: function.contains), object.contains("libswift") { return .text }
    if object.contains("/swift/linux/") { return .runtime }
    return object.hasSuffix("/bench") ? .program : .other
  }

  private static let allocating = [
    "malloc", "free", "calloc", "realloc", "_int_malloc", "_int_free", "_int_realloc", "unlink_chunk",
    "operator new", "operator delete", "swift_slowAlloc", "swift_slowDealloc", "swift_allocObject",
    "swift_deallocClassInstance", "swift_deallocObject", "sysmalloc", "systrim",
  ]
  private static let counting = ["retain", "elease", "RefCount", "isUniquelyReferenced"]
  private static let textual = ["String", "$sSS", "allASCII"]

  /// Callgrind writes each name once and then refers to it by number.
  private struct Names {
    private var known: [String: String] = [:]

    mutating func name(_ line: Substring, _ key: String) -> String? {
      guard line.hasPrefix(key) else { return nil }
      let parts = line.dropFirst(key.count).split(separator: " ", maxSplits: 1)
      guard let number = parts.first else { return nil }
      if parts.count > 1 { known[key + number] = String(parts[1]) }
      return known[key + number]
    }
  }
}
