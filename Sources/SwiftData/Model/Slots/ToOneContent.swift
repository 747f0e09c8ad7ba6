/// The content of a to-one's storage, independent of its type.
@frozen
public struct _ToOneContent {
  @usableFromInline var target: (any PersistentModel)?
  @usableFromInline var key: Int64

  /// The `key` of a to-one whose row is not read.
  @usableFromInline static var unreadMark: Int64 { .min }
  /// The `key` of a to-one whose target was set by an initializer. The inverse is set when the model is registered.
  @usableFromInline static var oneSidedMark: Int64 { -1 }

  @inlinable
  init(target: (any PersistentModel)?, key: Int64 = 0) {
    self.target = target
    self.key = key
  }

  static var unread: _ToOneContent { _ToOneContent(target: nil, key: unreadMark) }

  var isLoaded: Bool {
    target != nil || key == 0
  }

  /// Whether `key` is the key of a model: of a row, or a temporary key of an unsaved model that may not be retained here.
  var isKey: Bool {
    key > 0 || key < Self.oneSidedMark && key != Self.unreadMark
  }

  /// Whether the target is known, in memory or by key.
  var isRead: Bool { key != Self.unreadMark }

  /// The key of the target; zero for nil.
  var rowKey: Int64 { target.map { $0._$withState { $0.key } } ?? key }

  /// Whether the target is the given model.
  func leads(to other: any PersistentModel) -> Bool {
    target === other || target == nil && isKey && key == other._$withState { $0.key }
  }
}
