import Observation
import Support

/// Detects whether the current code is observed, for which Observation has no function.
///
/// While Observation tracks reads, it keeps their key paths in sets, and so hashes them. The probe reads a property of its
/// own whose key path records that it was hashed.
///
/// A probe belongs to one isolation at a time. After it has detected an observer it cannot be used again, but has to be
/// retained for as long as the models observed with it: an observer retains everything that it has read until a change
/// notification, and a probe never changes. The observer releases the probe when the probe is deinitialized.
///
/// Unchecked, because a probe has one user at a time, and is passed on under a lock.
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

  /// Unused probes, because each context needs some, and making one takes as long as reading twenty rows.
  private static let spares = Mutex<[ObservationProbe]>([])
  private static let spareLimit = 64

  static func take() -> ObservationProbe {
    spares.withLock { $0.popLast() } ?? ObservationProbe()
  }

  /// Returns a probe that has detected no observer. The caller has the last reference.
  static func giveBack(_ probe: ObservationProbe) {
    spares.withLock { if $0.count < spareLimit { $0.append(probe) } }
  }

  /// Whether Observation hashes key paths as described. If it does not, all code counts as observed.
  static let isReliable: Bool = {
    let probe = ObservationProbe()
    return withObservationTracking {
      probe.isTracking
    } onChange: {
    }
  }()
}
