import Observation
import Support

/// Tells whether the code that runs now is observed, for which Observation has no function.
///
/// While it collects what is read, Observation keeps the key paths of the reads in sets, and so hashes them. The probe
/// has a property of its own read whose key path notices when it is hashed.
///
/// A probe belongs to one isolation at a time. One that found an observer is of no use any more, but has to be kept for
/// as long as what was observed with it: an observer holds on to everything that it has read until it is told of a
/// change, and a probe never changes. The observer lets go of the probe when the probe goes away.
///
/// Unchecked, because a probe has one user at a time, and changes hands under a lock.
final class ObservationProbe: Observable, @unchecked Sendable {
  private final class Flag {
    var isRaised = false
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

  // MARK: Spare probes

  /// Those that found nobody, kept because each context needs some, and making one takes as long as reading twenty rows.
  private static let spares = Mutex<[ObservationProbe]>([])
  private static let spareLimit = 64

  static func take() -> ObservationProbe {
    spares.withLock { $0.popLast() } ?? ObservationProbe()
  }

  /// Takes back a probe that found nobody, from the last one who refers to it.
  static func giveBack(_ probe: ObservationProbe) {
    spares.withLock { if $0.count < spareLimit { $0.append(probe) } }
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
