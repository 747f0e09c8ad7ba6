/// The value of a property while a statement changes it in place, as in `owner.members.append(member)`.
public final class _Edit<Value> {
  // Unchecked, because only the accessor that made the edit uses it.
  @exclusivity(unchecked) public var value: Value
  /// The loan that the value belongs to; nil for a copy.
  var loan: MemberLoan?

  init(_ value: Value) {
    self.value = value
  }
}
