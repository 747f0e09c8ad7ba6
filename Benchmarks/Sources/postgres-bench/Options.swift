import Foundation

/// The options of the command line.
struct Options {
  static let usage = """
    Usage: bench --postgres [--rounds N] [--filter TEXT] [--peer NAME]
           bench --postgres-large [--rows N]

      --postgres        Compares libpq by hand, this library, and SQLAlchemy on a PostgreSQL server: the one of the variable
                        OSD_POSTGRES_URL, or else one that it starts.
      --rounds N        How often each operation is measured, after two warm-ups: 9 if nothing else is said.
      --filter TEXT     Only the operations whose names contain the text.
      --peer NAME       Only "libpq" or "OpenSwiftData", for instance to profile it.
      --postgres-large  Instead works on a large store.
      --rows N          The number of items in the large store: ten million if nothing else is said.
      --help            Shows this.
    """

  private(set) var rounds = 9
  private(set) var rows = 10_000_000
  private(set) var filter = ""
  private(set) var peer: String?
  private(set) var testsLargeStore = false
  private(set) var showsHelp = false

  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      func value() throws -> String {
        guard let value = rest.next() else { throw Failure("\(argument) needs a value.\n\n\(Self.usage)") }
        return value
      }
      func number() throws -> Int {
        guard let number = Int(try value()), number > 0 else {
          throw Failure("\(argument) needs a number.\n\n\(Self.usage)")
        }
        return number
      }
      switch argument {
      case "--postgres": break
      case "--postgres-large": testsLargeStore = true
      case "--rounds": rounds = try number()
      case "--rows": rows = try number()
      case "--filter": filter = try value()
      case "--peer": peer = try value()
      case "--help", "-h": showsHelp = true
      default: throw Failure("There is no option \(argument).\n\n\(Self.usage)")
      }
    }
  }

  func includes(_ name: String) -> Bool {
    filter.isEmpty || name.localizedCaseInsensitiveContains(filter)
  }

  func includes(peer name: String) -> Bool {
    peer == nil || peer == name
  }
}
