import Observation

/// Tells whether the code that runs now is observed, for which Observation has no function.
///
/// While it collects what is read, Observation keeps the key paths of the reads in sets, and so hashes them. The probe
/// has a property of its own read whose key path notices when it is hashed.
///
/// A probe belongs to one isolation. One that found an observer is of no use any more, but has to be kept for as long
/// as what was observed with it: an observer holds on to everything that it has read until it is told of a change, and
/// a probe never changes. The observer lets go of the probe when the probe goes away.
final class ObservationProbe: Observable {
  private final class Flag {
    // Unchecked: it is set and read, and nothing runs meanwhile.
    @exclusivity(unchecked) var isRaised = false
  }

  private struct Signal: Hashable {
    let flag: Flag

    static func == (lhs: Signal, rhs: Signal) -> Bool {
      lhs.flag === rhs.flag
    }

    func hash(into hasher: inout Hasher) {
      flag.isRaised = true
    }
  }

  private let flag: Flag
  private let keyPath: KeyPath<ObservationProbe, Int>
  private let registrar = ObservationRegistrar()

  init() {
    let flag = Flag()
    self.flag = flag
    keyPath = \.[Signal(flag: flag)]
  }

  private subscript(signal: Signal) -> Int { 0 }

  var isTracking: Bool {
    flag.isRaised = false
    registrar.access(self, keyPath: keyPath)
    return flag.isRaised
  }

  /// Whether Observation works as described. Where it does not, everything counts as observed.
  static let isReliable: Bool = {
    let probe = ObservationProbe()
    return withObservationTracking {
      probe.isTracking
    } onChange: {
    }
  }()
}
