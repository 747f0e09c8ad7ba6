/// What the storage of a to-one holds, whatever its type.
@frozen
public struct _ToOneContent {
  @usableFromInline var target: (any PersistentModel)?
  @usableFromInline var key: Int64

  /// The mark for a row that is not read.
  @usableFromInline static var unreadMark: Int64 { .min }
  /// The mark for a target that an initializer set, out of sight of the other side: that learns of it when the model is
  /// registered.
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

  /// Whether the key is that of a model: of a row, or of one that is not saved and may not be held here.
  var isKey: Bool {
    key > 0 || key < Self.oneSidedMark && key != Self.unreadMark
  }

  /// Whether it is known where it leads.
  var isRead: Bool { key != Self.unreadMark }

  /// The key of what it leads to, zero when that is nothing.
  var rowKey: Int64 { target.map { $0._$withState { $0.key } } ?? key }

  /// Whether it leads to a model.
  func leads(to other: any PersistentModel) -> Bool {
    target === other || target == nil && isKey && key == other._$withState { $0.key }
  }
}
