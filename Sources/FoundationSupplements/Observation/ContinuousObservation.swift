#if compiler(<6.4)
  @_spi(SwiftUI) import Observation
  import Support

  /// Calls a closure, and calls it again whenever a property that it has read changes.
  ///
  /// ```swift
  /// token = withContinuousObservation(options: .didSet) { [weak self] event in
  ///   self?.show(observer.results)
  /// }
  /// ```
  ///
  /// Every call is made in the isolation of the closure, in a turn of its own: the first call soon after this function
  /// returns, each further call soon after a change. Several changes before the next call make one call. Changes by the
  /// closure itself make no call.
  ///
  /// Swift 6.4 has this function in its own library; this one is there for compilers before it.
  ///
  /// - Parameters:
  ///   - options: The events that count. With ``ObservationTracking/Options/willSet`` or
  ///     ``ObservationTracking/Options/didSet`` the closure is called after the change; with neither it is called once.
  ///   - apply: The closure.
  /// - Returns: A token that the observation lasts as long as.
  public func withContinuousObservation(
    options: ObservationTracking.Options,
    @_inheritActorContext apply: @escaping @isolated(any) @Sendable (borrowing ObservationTracking.Event) -> Void
  ) -> ObservationTracking.Token {
    let observation = ContinuousObservation(options, apply)
    observation.scheduleCall(.initial, nil)
    return ObservationTracking.Token(observation)
  }

  /// One observation, from its first call until it is cancelled.
  final class ContinuousObservation: Sendable {
    typealias Apply = @isolated(any) @Sendable (borrowing ObservationTracking.Event) -> Void
    private typealias IsolatedApply = @Sendable (borrowing ObservationTracking.Event) -> Void

    private let options: ObservationTracking.Options
    private let apply: Apply

    private let isCancelled = Mutex(false)

    init(_ options: ObservationTracking.Options, _ apply: @escaping Apply) {
      self.options = options
      self.apply = apply
    }

    func cancel() {
      isCancelled.withLock { $0 = true }
    }

    /// Calls the closure in a later turn of its isolation.
    func scheduleCall(_ kind: ObservationTracking.Event.Kind, _ changed: AnyKeyPath?) {
      let change = Change(kind: kind, property: changed)
      if apply.isolation === MainActor.shared {
        Task { @MainActor in call(change) }
      } else {
        Task { await call(change, on: apply.isolation) }
      }
    }

    /// `@unchecked Sendable` because the key path of an observed property captures nothing.
    private struct Change: @unchecked Sendable {
      let kind: ObservationTracking.Event.Kind
      let property: AnyKeyPath?
    }

    private func call(_ change: Change, on actor: isolated (any Actor)?) {
      call(change)
    }

    /// Calls the closure, in its isolation, and observes what it reads.
    private func call(_ change: Change) {
      if isCancelled.withLock({ $0 }) { return }
      // Both types have the same representation: the isolation is a part of the closure's context.
      let call = unsafeBitCast(apply, to: IsolatedApply.self)
      let event = ObservationTracking.Event(change.kind, change.property, of: self)
      if options.isDisjoint(with: [.willSet, .didSet]) { return call(event) }
      let kind: ObservationTracking.Event.Kind = options.contains(.didSet) ? .didSet : .willSet
      // After the change, whatever the options: before it, a call on another thread would read the old value.
      withObservationTracking(
        { call(event) },
        didSet: { [weak self] tracking in
          tracking.cancel()
          self?.scheduleCall(kind, tracking.changed)
        })
    }
  }
#endif
