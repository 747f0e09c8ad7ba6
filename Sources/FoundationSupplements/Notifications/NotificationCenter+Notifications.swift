#if !canImport(Darwin) && !FoundationNotifications
  public import Foundation

  extension NotificationCenter {
    /// The notifications of one name, as they are posted.
    ///
    /// ```swift
    /// for await notification in NotificationCenter.default.notifications(named: ModelContext.didSave) {
    ///   print(notification.userInfo?.count ?? 0)
    /// }
    /// ```
    ///
    /// Each iteration receives the notifications that are posted after its beginning, and buffers them without limit. It ends
    /// only when its task is cancelled.
    ///
    /// A notification's values are passed to the iterating task as they are. If they are not `Sendable`, such as a context, the
    /// notification must be posted in the isolation of that task.
    ///
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - object: The object whose notifications count; `nil` for all objects. It is not retained.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
      Notifications(self, name, object)
    }

    /// The notifications of one name, as an asynchronous sequence.
    // The center can be used from any thread; the object is only compared.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
      public typealias Element = Notification
      public typealias Failure = Never

      private let center: NotificationCenter
      private let name: Notification.Name
      private let isOfOneObject: Bool
      private weak var object: AnyObject?

      fileprivate init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
        self.center = center
        self.name = name
        self.object = object
        isOfOneObject = object != nil
      }

      public func makeAsyncIterator() -> Iterator {
        let object = object
        // A released object posts nothing.
        return Iterator(isOfOneObject && object == nil ? nil : Observation(center, name, object))
      }

      public struct Iterator: AsyncIteratorProtocol {
        // Retained for the duration of the iteration.
        private let observation: Observation?
        private var base: AsyncStream<Posted>.Iterator?

        fileprivate init(_ observation: Observation?) {
          self.observation = observation
          base = observation?.stream.makeAsyncIterator()
        }

        public mutating func next() async -> Notification? {
          await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
          await base?.next(isolation: actor)?.notification
        }
      }
    }
  }

  /// Carries a notification to the task that iterates; see `notifications(named:object:)`.
  private struct Posted: @unchecked Sendable {
    let notification: Notification
  }

  private final class Observation {
    let stream: AsyncStream<Posted>
    private let continuation: AsyncStream<Posted>.Continuation
    private let center: NotificationCenter
    private let token: any NSObjectProtocol

    init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
      let (stream, continuation) = AsyncStream.makeStream(of: Posted.self)
      self.center = center
      self.stream = stream
      self.continuation = continuation
      token = center.addObserver(forName: name, object: object, queue: nil) { notification in
        continuation.yield(Posted(notification: notification))
      }
    }

    deinit {
      center.removeObserver(token)
      continuation.finish()
    }
  }
#endif
