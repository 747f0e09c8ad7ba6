#if compiler(<6.4)
  public import Observation
  import Support

  /// The types of ``withContinuousObservation(options:apply:)``, which Swift 6.4 has in its own library.
  public enum ObservationTracking {
    /// The events that call the closure of an observation, besides the initial one.
    public struct Options: OptionSet, Sendable {
      public let rawValue: Int

      public init(rawValue: Int) {
        self.rawValue = rawValue
      }

      public static let willSet = Options(rawValue: 1)
      public static let didSet = Options(rawValue: 2)
      /// Libraries before Swift 6.4 do not notify of the end of an observed object, so this event never comes.
      public static let `deinit` = Options(rawValue: 4)
    }

    /// Why the closure of an observation is called.
    public struct Event: ~Copyable {
      public struct Kind: Equatable, Sendable {
        private let number: Int

        public static let initial = Kind(number: 0)
        public static let willSet = Kind(number: 1)
        public static let didSet = Kind(number: 2)
        public static let `deinit` = Kind(number: 3)
      }

      public let kind: Kind
      private let changed: AnyKeyPath?
      private let observation: ContinuousObservation

      init(_ kind: Kind, _ changed: AnyKeyPath?, of observation: ContinuousObservation) {
        self.kind = kind
        // A key path without subscripts, as observed properties have, is a constant.
        self.changed = changed
        self.observation = observation
      }

      /// Whether the change of this property caused the event. Of several changes that one event stands for, it is the
      /// first.
      public func matches(_ keyPath: PartialKeyPath<some Observable>) -> Bool {
        changed == keyPath
      }

      /// Ends the observation: its closure is not called again.
      public func cancel() {
        observation.cancel()
      }
    }

    /// Keeps an observation going. It ends when the token is destroyed.
    public struct Token: ~Copyable {
      private let observation: ContinuousObservation

      init(_ observation: ContinuousObservation) {
        self.observation = observation
      }

      /// Ends the observation: its closure is not called again.
      public consuming func cancel() {}

      deinit {
        observation.cancel()
      }
    }
  }
#endif
