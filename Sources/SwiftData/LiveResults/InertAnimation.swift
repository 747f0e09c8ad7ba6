/// The type of a query's `animation` without SwiftUI; it has no effect.
///
/// It has the names that code for Apple's systems uses, so that such code compiles.
public struct InertAnimation: Sendable, Hashable {
  private init() {}

  /// The counterpart of SwiftUI's `default`.
  public static let `default` = InertAnimation()
  /// The counterpart of SwiftUI's `linear`.
  public static let linear = InertAnimation()
  /// The counterpart of SwiftUI's `easeIn`.
  public static let easeIn = InertAnimation()
  /// The counterpart of SwiftUI's `easeOut`.
  public static let easeOut = InertAnimation()
  /// The counterpart of SwiftUI's `easeInOut`.
  public static let easeInOut = InertAnimation()
  /// The counterpart of SwiftUI's `spring`.
  public static let spring = InertAnimation()
  /// The counterpart of SwiftUI's `smooth`.
  public static let smooth = InertAnimation()
  /// The counterpart of SwiftUI's `snappy`.
  public static let snappy = InertAnimation()
  /// The counterpart of SwiftUI's `bouncy`.
  public static let bouncy = InertAnimation()
  /// The counterpart of SwiftUI's `interactiveSpring`.
  public static let interactiveSpring = InertAnimation()

  /// The counterpart of SwiftUI's `linear`; its arguments have no effect.
  public static func linear(duration: Double) -> InertAnimation { .default }
  /// The counterpart of SwiftUI's `easeIn`; its arguments have no effect.
  public static func easeIn(duration: Double) -> InertAnimation { .default }
  /// The counterpart of SwiftUI's `easeOut`; its arguments have no effect.
  public static func easeOut(duration: Double) -> InertAnimation { .default }
  /// The counterpart of SwiftUI's `easeInOut`; its arguments have no effect.
  public static func easeInOut(duration: Double) -> InertAnimation { .default }
  /// The counterpart of SwiftUI's `spring`; its arguments have no effect.
  public static func spring(
    response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: Double = 0
  ) -> InertAnimation { .default }
  /// The counterpart of SwiftUI's `smooth`; its arguments have no effect.
  public static func smooth(duration: Double, extraBounce: Double = 0) -> InertAnimation { .default }
  /// The counterpart of SwiftUI's `snappy`; its arguments have no effect.
  public static func snappy(duration: Double, extraBounce: Double = 0) -> InertAnimation { .default }
  /// The counterpart of SwiftUI's `bouncy`; its arguments have no effect.
  public static func bouncy(duration: Double, extraBounce: Double = 0) -> InertAnimation { .default }

  /// The same animation: a delay has no effect.
  public func delay(_ delay: Double) -> InertAnimation { self }
  /// The same animation: a speed has no effect.
  public func speed(_ speed: Double) -> InertAnimation { self }
}

/// The type of a query's `transaction` without SwiftUI; it has no effect.
public struct InertTransaction: Sendable, Hashable {
  /// Has no effect.
  public var disablesAnimations = false
  /// Has no effect.
  public var animation: InertAnimation?

  /// Makes a transaction.
  public init(animation: InertAnimation? = nil) {
    self.animation = animation
  }
}
