import Foundation
import Workload

/// The options of the command line.
struct Options {
  static let usage = """
    Usage: bench [--quick] [--filter TEXT] [--peer NAME] [--json FILE] [--ranges] [--list]
           bench --scale [--quick]
           bench --gate
           bench --baseline [--update] [--filter TEXT]
           bench --profile [--filter TEXT]
           bench --latency [--quick] [--json FILE]
           bench --idle [--seconds N] [--json FILE]
           bench --live [--quick] [--filter TEXT] [--peer NAME] [--json FILE]
           bench --growth [--quick] [--filter TEXT]
           bench --compile

      --quick        Fewer repetitions, some three minutes in all, without what takes long.
      --filter TEXT  Only the operations whose names contain the text.
      --peer NAME    Only the peer with this name, for instance to profile it.
      --json FILE    Also writes the results to a file.
      --scale        Instead works on a store of ten million items, or with --quick of one million.
      --gate         Instead counts the instructions of six operations of this library, and ends with 1 if one takes
                     over 3 % more than in Benchmarks/baseline.json.
      --baseline     Instead counts the instructions of the main operations, compares them with the file, and shows the
                     ratios of this library and of GRDB by hand to raw C.
      --update       With --baseline: counts only this library and writes the file again.
      --profile      Instead shows what raw C and this library execute instructions for.
      --latency      Instead measures how soon a process notices the commits of another one.
      --idle         Instead shows how often a process with an open container wakes that has nothing to do.
      --live         Instead measures results that follow changes, in this library and in GRDB. A full run has them last.
      --growth       Instead measures some work of three sizes, and how its time grows.
      --seconds N    With --idle: for how long to look, five seconds if nothing else is said.
      --compile      Instead shows the processor time that the compiler takes for models. Only ./scripts/bench knows it,
                     which starts Benchmarks/compile-models before it builds anything.
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
  var checksGate = false
  var comparesWithBaseline = false
  var updatesBaseline = false
  var showsProfile = false
  var measuresLatency = false
  var measuresIdleness = false
  var measuresLiveResults = false
  var measuresGrowth = false
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
      case "--gate": checksGate = true
      case "--baseline": comparesWithBaseline = true
      case "--profile": showsProfile = true
      case "--update": updatesBaseline = true
      case "--latency": measuresLatency = true
      case "--idle": measuresIdleness = true
      case "--live": measuresLiveResults = true
      case "--growth": measuresGrowth = true
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

  func includes(_ liveCase: LiveCase) -> Bool {
    guard livePeers.contains(where: { includes(peer: $0.name) }) else { return false }
    return filter.isEmpty || liveCase.subjects.contains { $0.fullName.localizedCaseInsensitiveContains(filter) }
  }

  func includes(_ subject: Subject) -> Bool {
    filter.isEmpty ? !(isQuick && subject.isSeldomTaken) : subject.name.localizedCaseInsensitiveContains(filter)
  }
}
