/// The value of a property while a statement changes it in place: what `owner.members.append(member)` works on.
public final class _Edit<Value> {
  // Unchecked, because the accessor that made the edit is the only one that knows it.
  @exclusivity(unchecked) public var value: Value
  /// What the value is lent by; nil for a value of its own.
  var loan: MemberLoan?

  init(_ value: Value) {
    self.value = value
  }
}
