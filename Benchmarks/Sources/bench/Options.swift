import Foundation

/// What the person at the keyboard asked for.
struct Options {
  static let usage = """
    Usage: bench [--quick] [--filter TEXT] [--peer NAME] [--json FILE] [--ranges] [--list]
           bench --scale [--quick]
           bench --baseline [--update] [--strict]
           bench --profile [--filter TEXT]
           bench --latency [--quick] [--json FILE]
           bench --idle [--seconds N] [--json FILE]

      --quick        Fewer repetitions, less than two minutes in all, without what takes long.
      --filter TEXT  Only the operations whose names contain the text.
      --peer NAME    Only the peer with this name, for instance to profile it.
      --json FILE    Also writes the results to a file.
      --scale        Instead works on a store of ten million items, or with --quick of one million.
      --baseline     Instead counts instructions and compares them with Benchmarks/baseline.json.
      --update       With --baseline: writes the file anew.
      --strict       With --baseline: ends with 1 if a count is off.
      --profile      Instead shows what raw C and this library execute instructions for.
      --latency      Instead measures how soon a process is told of what another one commits.
      --idle         Instead shows how often a process with an open container wakes that has nothing to do.
      --seconds N    With --idle: for how long to look, five seconds if nothing else is said.
      --ranges       Also shows the lowest and the highest of the repetitions.
      --list         Lists the operations and the peers.
      --help         Shows this.
    """

  var isQuick = false
  var filter = ""
  var peer: String?
  var resultFile: URL?
  var showsRanges = false
  var testsScale = false
  var comparesWithBaseline = false
  var updatesBaseline = false
  var showsProfile = false
  var isStrict = false
  var measuresLatency = false
  var measuresIdleness = false
  var seconds = 5.0
  var listsOnly = false
  var showsHelp = false

  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      func value() throws -> String {
        guard let value = rest.next() else { throw BenchError("\(argument) needs a value.\n\n\(Self.usage)") }
        return value
      }
      switch argument {
      case "--quick": isQuick = true
      case "--filter": filter = try value()
      case "--peer": peer = try value()
      case "--json": resultFile = URL(filePath: try value())
      case "--scale": testsScale = true
      case "--baseline": comparesWithBaseline = true
      case "--profile": showsProfile = true
      case "--update": updatesBaseline = true
      case "--strict": isStrict = true
      case "--latency": measuresLatency = true
      case "--idle": measuresIdleness = true
      case "--seconds":
        guard let number = Double(try value()), number > 0 else {
          throw BenchError("\(argument) needs a number.\n\n\(Self.usage)")
        }
        seconds = number
      case "--ranges": showsRanges = true
      case "--list": listsOnly = true
      case "--help", "-h": showsHelp = true
      default: throw BenchError("There is no option \(argument).\n\n\(Self.usage)")
      }
    }
  }

  func includes(peer name: String) -> Bool {
    peer == nil || peer == name
  }

  func includes(_ subject: Subject) -> Bool {
    filter.isEmpty ? !(isQuick && subject.isSeldomTaken) : subject.name.localizedCaseInsensitiveContains(filter)
  }
}
