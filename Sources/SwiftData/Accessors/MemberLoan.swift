/// The members of a to-many, lent to a statement that changes them in place.
///
/// The array that the statement has shares its storage with the one of the to-many. So whatever is done to it makes it a
/// copy, by which the end of the statement knows that anything may be different; what is appended to it in this time is
/// appended to both, and known. Without that, each member that is appended would cost a copy of all others, and a
/// comparison with them.
@usableFromInline
final class MemberLoan: Sendable {
  // Touched by the thread that the statement runs on alone.
  nonisolated(unsafe) private var state: ToManyState?
  /// What was appended to both: most statements append one model.
  nonisolated(unsafe) private var first: AnyObject?
  nonisolated(unsafe) private var others: [AnyObject] = []
  /// Where the array of the statement is. The edit that it is in is held, so that no other one can be there.
  private let address: UInt
  nonisolated(unsafe) private let edit: AnyObject

  /// The last loan of each thread. A statement that waits can end on another thread: what it leaves behind here is found
  /// by no address, and goes with the next loan or the thread.
  private static let current = ThreadLocal<MemberLoan>()

  private init(_ state: ToManyState, _ edit: AnyObject, at address: UInt) {
    self.state = state
    self.edit = edit
    self.address = address
  }

  static func edit<Target: PersistentModel>(_ value: [Target], of content: _ToManyContent) -> _Edit<[Target]> {
    let edit = _Edit(value)
    if let state = content.state, state.canBeLent(as: edit.value) {
      lend(state, edit, at: withUnsafePointer(to: &edit.value) { UInt(bitPattern: $0) })
    }
    return edit
  }

  static func edit<Target: PersistentModel>(_ value: [Target]?, of content: _ToManyContent) -> _Edit<[Target]?> {
    let edit = _Edit(value)
    if let state = content.state, edit.value.map(state.canBeLent) ?? false {
      // The array is where the optional is: it has a bit pattern to spare for nil.
      lend(state, edit, at: withUnsafePointer(to: &edit.value) { UInt(bitPattern: $0) })
    }
    return edit
  }

  private static func lend<Value>(_ state: ToManyState, _ edit: _Edit<Value>, at address: UInt) {
    let loan = MemberLoan(state, edit, at: address)
    edit.loan = loan
    current.object = loan
  }

  /// Ends what `lend` began, on whatever thread that is.
  fileprivate func end() {
    if let last = Self.current.reference, last._withUnsafeGuaranteedRef({ $0 === self }) { Self.current.object = nil }
  }

  // MARK: While it is lent

  /// Whether the array at an address is lent to the statement that the thread is in.
  @usableFromInline
  static func current(at address: UnsafeRawPointer) -> MemberLoan? {
    guard let reference = current.reference else { return nil }
    let isLent = reference._withUnsafeGuaranteedRef { $0.address == UInt(bitPattern: address) }
    return isLent ? reference.takeUnretainedValue() : nil
  }

  @usableFromInline
  func append<Member: PersistentModel>(_ member: Member, to members: inout [Member]) {
    guard state?.append(member, sharedWith: &members) == true else { return members.appendPlainly(member) }
    if first == nil { first = member } else { others.append(member) }
  }

  // MARK: When it ends

  /// Whether the property has still what it lent, and all that was done to the array is what was appended to both.
  func isRepaid<Member: PersistentModel>(by members: [Member], to content: _ToManyContent) -> Bool {
    state != nil && content.state === state && state?.isShared(with: members) == true
  }

  /// What was appended to what is repaid; the to-many is without it again.
  func takeBack() -> [any PersistentModel] {
    defer { state = nil }
    return first == nil ? [] : state?.takeLast(1 + others.count) ?? []
  }

  /// Takes what was appended out of the to-many, which may have other members by now.
  func revoke() {
    state?.remove((first.map { [$0] } ?? []) + others)
    state = nil
  }
}

extension _Edit {
  func takeLoan() -> MemberLoan? {
    guard let loan else { return nil }
    self.loan = nil
    loan.end()
    return loan
  }
}

// MARK: Arrays of models

// Preferred over the methods of the standard library, which they do the same as.
extension Array where Element: PersistentModel {
  /// Adds a model at the end.
  ///
  /// In a to-many relationship that is in memory, `owner.members.append(member)` takes the same time however many members
  /// there are, unless somebody else holds the array.
  @inlinable
  public mutating func append(_ newElement: Element) {
    if let loan = withUnsafePointer(to: &self, { MemberLoan.current(at: $0) }) {
      loan.append(newElement, to: &self)
    } else {
      appendPlainly(newElement)
    }
  }

  /// Adds models at the end, as `append(_:)` does each.
  @inlinable
  public mutating func append<Models: Sequence>(contentsOf newElements: Models) where Models.Element == Element {
    guard let loan = withUnsafePointer(to: &self, { MemberLoan.current(at: $0) }) else {
      return appendPlainly(contentsOf: newElements)
    }
    for model in newElements { loan.append(model, to: &self) }
  }

  /// Adds models at the end, as `append(_:)` does each.
  @inlinable
  public static func += <Models: Sequence>(models: inout [Element], newModels: Models)
  where Models.Element == Element {
    models.append(contentsOf: newModels)
  }
}

extension Array {
  // Out of sight of the methods for models.
  @inlinable
  mutating func appendPlainly(_ newElement: Element) {
    append(newElement)
  }

  @inlinable
  mutating func appendPlainly<Elements: Sequence>(contentsOf newElements: Elements) where Elements.Element == Element {
    append(contentsOf: newElements)
  }
}
