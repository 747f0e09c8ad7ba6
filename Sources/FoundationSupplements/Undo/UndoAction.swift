#if !canImport(Darwin) && !FoundationUndoManager
  /// One registered action.
  class UndoAction {
    func perform() {}

    func isUseful(without target: AnyObject) -> Bool {
      false
    }
  }

  final class TargetedUndoAction<Target: AnyObject>: UndoAction {
    private weak var target: Target?
    private let handler: (Target) -> Void

    init(_ target: Target, _ handler: @escaping (Target) -> Void) {
      self.target = target
      self.handler = handler
    }

    override func perform() {
      if let target { handler(target) }
    }

    // In the deinitializer of the target, the weak reference is already `nil`.
    override func isUseful(without other: AnyObject) -> Bool {
      target.map { $0 !== other } ?? false
    }
  }
#endif
