/// What one save changed, or another call that writes.
struct ChangeNotice: Sendable {
  var inserted = KeysByEntity()
  var updated = KeysByEntity()
  var deleted = KeysByEntity()
  /// Those of the inserted that are keys of rows which were deleted before, and came back.
  var revived = KeysByEntity()
  /// Entities of which any rows may have been changed or deleted.
  var unknown: Set<Int> = []
}
