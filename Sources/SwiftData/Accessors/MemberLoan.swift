/// The members of a to-many, lent to a statement that changes them in place.
///
/// The statement's array shares its storage with the to-many's array. Any other change copies the array, so that the end of
/// the statement detects that its content may be arbitrary. An append is applied to both arrays and recorded. Without the
/// loan, each append would copy all members and compare them.
@usableFromInline
final class MemberLoan: Sendable {
  // Used only by the thread that runs the statement.
  nonisolated(unsafe) private var state: ToManyState?
  /// The models appended to both arrays; most statements append one.
  nonisolated(unsafe) private var first: AnyObject?
  nonisolated(unsafe) private var others: [AnyObject] = []
  /// The address of the statement's array. The edit that contains it is retained, so that the address is not reused.
  private let address: UInt
  nonisolated(unsafe) private let edit: AnyObject

  /// The last loan of each thread. A statement with an `await` can end on another thread: its entry here then matches no
  /// address, and is released with the thread's next loan or with the thread.
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
      // The optional array has the address of the array, because nil is an unused bit pattern.
      lend(state, edit, at: withUnsafePointer(to: &edit.value) { UInt(bitPattern: $0) })
    }
    return edit
  }

  private static func lend<Value>(_ state: ToManyState, _ edit: _Edit<Value>, at address: UInt) {
    let loan = MemberLoan(state, edit, at: address)
    edit.loan = loan
    current.object = loan
  }

  /// Ends the loan, on any thread.
  fileprivate func end() {
    if let last = Self.current.reference, last._withUnsafeGuaranteedRef({ $0 === self }) { Self.current.object = nil }
  }

  // MARK: During the loan

  /// The current thread's loan, if the array at an address is lent.
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

  // MARK: End of the loan

  /// Whether the property still has the lent members, and the array was changed only by appends to both.
  func isRepaid<Member: PersistentModel>(by members: [Member], to content: _ToManyContent) -> Bool {
    state != nil && content.state === state && state?.isShared(with: members) == true
  }

  /// Removes the appended models from the to-many and returns them.
  func takeAppended() -> [any PersistentModel] {
    defer { state = nil }
    return first == nil ? [] : state?.takeLast(1 + others.count) ?? []
  }

  /// Removes the appended models from the to-many, whose members may be others by now.
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

// Preferred over the methods of the standard library, and with the same result.
extension Array where Element: PersistentModel {
  /// Adds a model at the end.
  ///
  /// In a to-many relationship that is in memory, `owner.members.append(member)` takes constant time, unless the program
  /// has another reference to the array.
  @inlinable
  public mutating func append(_ newElement: Element) {
    if let loan = withUnsafePointer(to: &self, { MemberLoan.current(at: $0) }) {
      loan.append(newElement, to: &self)
    } else {
      appendPlainly(newElement)
    }
  }

  /// Adds models at the end, like `append(_:)`.
  @inlinable
  public mutating func append<Models: Sequence>(contentsOf newElements: Models) where Models.Element == Element {
    guard let loan = withUnsafePointer(to: &self, { MemberLoan.current(at: $0) }) else {
      return appendPlainly(contentsOf: newElements)
    }
    for model in newElements { loan.append(model, to: &self) }
  }

  /// Adds models at the end, like `append(_:)`.
  @inlinable
  public static func += <Models: Sequence>(models: inout [Element], newModels: Models)
  where Models.Element == Element {
    models.append(contentsOf: newModels)
  }
}

extension Array {
  // A separate extension, so that the calls resolve to the standard library's methods.
  @inlinable
  mutating func appendPlainly(_ newElement: Element) {
    append(newElement)
  }

  @inlinable
  mutating func appendPlainly<Elements: Sequence>(contentsOf newElements: Elements) where Elements.Element == Element {
    append(contentsOf: newElements)
  }
}
