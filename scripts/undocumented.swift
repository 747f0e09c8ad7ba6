// Prints public declarations without a documentation comment, and throwing ones without `- Throws:`. The arguments
// are files with symbol graphs. Exits with 1 when there are any.
//
// A symbol graph has what a search through the sources cannot have: requirements of protocols, which inherit their access,
// and whether a declaration is the witness of a requirement, whose documentation is that of the requirement.

import Foundation

struct Graph: Decodable {
  var symbols: [Symbol]
}

struct Symbol: Decodable {
  struct Identifier: Decodable {
    var precise: String
  }

  struct Kind: Decodable {
    var identifier: String
  }

  struct Fragment: Decodable {
    var spelling: String
  }

  struct Comment: Decodable {
    struct Line: Decodable {
      var text: String
    }

    var lines: [Line]
  }

  struct Location: Decodable {
    struct Position: Decodable {
      var line: Int
    }

    var uri: String
    var position: Position
  }

  var identifier: Identifier
  var kind: Kind
  var pathComponents: [String]
  var declarationFragments: [Fragment]?
  var docComment: Comment?
  var location: Location?

  var path: String { pathComponents.joined(separator: ".") }
  var declaration: String { (declarationFragments ?? []).map(\.spelling).joined() }

  /// Whether the declaration itself throws, and not only a closure among its parameters.
  var isThrowing: Bool {
    var depth = 0
    var text = ""
    var last: Character = " "
    for character in declaration {
      // The `>` of an arrow closes nothing.
      let isClosing = ")]".contains(character) || character == ">" && last != "-"
      if "([<".contains(character) { depth += 1 }
      if isClosing { depth = max(0, depth - 1) }
      if depth == 0 { text.append(character) }
      last = character
    }
    let words = text.split { !$0.isLetter }
    return words.contains("throws") || words.contains("rethrows")
  }

  /// Declarations whose meaning is that of a protocol of the standard library: a line about each would say nothing new.
  var isWitness: Bool {
    let names: Set = [
      "init(from:)", "encode(to:)", "hash(into:)", "==(_:_:)", "!=(_:_:)", "<(_:_:)", "id", "description",
      "debugDescription", "errorDescription", "failureReason", "recoverySuggestion", "helpAnchor", "hashValue",
      "makeIterator()", "makeAsyncIterator()", "next()", "next(isolation:)", "startIndex", "endIndex", "index(after:)",
      "index(before:)", "subscript(_:)", "count", "rawValue", "init(rawValue:)", "stringValue", "init(stringValue:)",
      "intValue", "init(intValue:)", "customMirror", "allCases", "underestimatedCount",
    ]
    return names.contains(pathComponents.last ?? "")
  }

  /// Names that only satisfy a requirement of a protocol.
  var isTypeOfWitness: Bool {
    kind.identifier == "swift.typealias" || path.hasSuffix(".Iterator")
  }
}

var isComplete = true

func complain(_ symbol: Symbol, _ fault: String) {
  isComplete = false
  let place = symbol.location.map { "\(URL(string: $0.uri)?.path ?? $0.uri):\($0.position.line + 1): " } ?? ""
  print("\(place)\(symbol.path) \(fault)")
}

for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  for symbol in graph.symbols.sorted(by: { $0.path < $1.path }) {
    // Members that a type has from a protocol's extension are documented there, and what the compiler makes is nowhere.
    if symbol.identifier.precise.contains("::SYNTHESIZED::") || symbol.location == nil || symbol.isWitness { continue }
    guard let comment = symbol.docComment else {
      if !symbol.isTypeOfWitness { complain(symbol, "has no documentation.") }
      continue
    }
    if symbol.isThrowing, !comment.lines.contains(where: { $0.text.contains("- Throws:") }) {
      complain(symbol, "throws, and its documentation has no `- Throws:`.")
    }
  }
}
exit(isComplete ? 0 : 1)
