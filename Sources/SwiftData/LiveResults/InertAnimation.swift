/// The type of a query's `animation` without SwiftUI; it has no effect.
///
/// It has the names that code for Apple's systems uses, so that such code compiles.
public struct InertAnimation: Sendable, Hashable {
  private init() {}

  public static let `default` = InertAnimation()
  public static let linear = InertAnimation()
  public static let easeIn = InertAnimation()
  public static let easeOut = InertAnimation()
  public static let easeInOut = InertAnimation()
  public static let spring = InertAnimation()
  public static let smooth = InertAnimation()
  public static let snappy = InertAnimation()
  public static let bouncy = InertAnimation()
  public static let interactiveSpring = InertAnimation()

  public static func linear(duration: Double) -> InertAnimation { .default }
  public static func easeIn(duration: Double) -> InertAnimation { .default }
  public static func easeOut(duration: Double) -> InertAnimation { .default }
  public static func easeInOut(duration: Double) -> InertAnimation { .default }
  public static func spring(
    response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: Double = 0
  ) -> InertAnimation { .default }
  public static func smooth(duration: Double, extraBounce: Double = 0) -> InertAnimation { .default }
  public static func snappy(duration: Double, extraBounce: Double = 0) -> InertAnimation { .default }
  public static func bouncy(duration: Double, extraBounce: Double = 0) -> InertAnimation { .default }

  public func delay(_ delay: Double) -> InertAnimation { self }
  public func speed(_ speed: Double) -> InertAnimation { self }
}

/// The type of a query's `transaction` without SwiftUI; it has no effect.
public struct InertTransaction: Sendable, Hashable {
  public var disablesAnimations = false
  public var animation: InertAnimation?

  public init(animation: InertAnimation? = nil) {
    self.animation = animation
  }
}
