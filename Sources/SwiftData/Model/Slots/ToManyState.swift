internal import CShims
import Foundation

/// The members of a to-many that has members, or whose members are not made yet.
@usableFromInline
final class ToManyState {
  // Unchecked, because each access is over before other code that uses the state runs.
  @exclusivity(unchecked) private var list: [AnyObject]?
  /// The models in the list; nil until `contains` is called, and after any change but an append.
  @exclusivity(unchecked) private var identities: Set<ObjectIdentifier>?
  private var wereMembersHandedOut = false
  /// The stored members, until the program reads them as objects.
  var memberKeys: MemberGroup.SectionReference?
  /// Members whose inverse is not set yet: an initializer set the members.
  var oneSided: Set<ObjectIdentifier> = []

  /// Deleted members that were members before, while the relationship is being set.
  var deleted: Set<ObjectIdentifier> = []

  init(members: [AnyObject]?) {
    list = members
  }

  /// All members in order; nil while they are not read.
  var members: [AnyObject]? {
    get { list }
    _modify {
      identities = nil
      yield &list
    }
  }

  /// Whether a model is a member. The first call after a change costs time in proportion to the number of members.
  func contains(_ model: AnyObject) -> Bool {
    if identities == nil { identities = Set((members ?? []).map(ObjectIdentifier.init)) }
    return identities?.contains(ObjectIdentifier(model)) ?? false
  }

  /// Appends a member; does nothing while the members are not read.
  func append(_ model: AnyObject) {
    list?.append(model)
    identities?.insert(ObjectIdentifier(model))
  }

  var isLoaded: Bool { list != nil }

  /// The run of models by which another list is longer or shorter, if that is the only difference.
  func run(to other: [AnyObject]) -> (positions: Range<Int>, hasCome: Bool)? {
    list?.run(to: other)
  }

  func isLast(_ model: AnyObject) -> Bool {
    list?.last === model
  }

  // MARK: Lending

  /// Whether an array is the list and may be changed in place by appending: each member has its inverse set.
  func canBeLent<Member: PersistentModel>(as members: [Member]) -> Bool {
    oneSided.isEmpty && isShared(with: members)
  }

  /// Whether an array shares its storage with the list.
  func isShared<Member: PersistentModel>(with members: [Member]) -> Bool {
    guard list?.count == members.count else { return false }
    let start = list?.withUnsafeBytes(\.baseAddress)
    return start == members.withUnsafeBytes(\.baseAddress)
  }

  /// Appends to the list and to an array, if both share their storage.
  func append<Member: PersistentModel>(_ member: Member, sharedWith members: inout [Member]) -> Bool {
    guard isShared(with: members) else { return false }
    // The storage is changed in place, because only the array has it now. Models are objects, whatever the array's type is.
    list = nil
    members.appendPlainly(member)
    list = unsafeBitCast(members, to: [AnyObject].self)
    identities = nil
    return true
  }

  /// Removes and returns the last members.
  func takeLast(_ count: Int) -> [any PersistentModel] {
    let last = (list ?? []).suffix(count).compactMap { $0 as? any PersistentModel }
    list?.removeLast(min(count, list?.count ?? 0))
    return last
  }

  /// Removes the last occurrence of each model.
  func remove(_ models: [AnyObject]) {
    for model in models {
      guard let position = list?.lastIndex(where: { $0 === model }) else { continue }
      identities = nil
      list?.remove(at: position)
    }
  }

  func markOneSided() {
    oneSided = Set((members ?? []).map(ObjectIdentifier.init))
  }

  /// Prefetches the members into the processor's cache before they are enumerated for the first time.
  ///
  /// Models are made in the order of their rows in the table, so the members of one owner are not adjacent in memory.
  /// Without the prefetch, reading them one by one would wait for the memory of each.
  func compactMembers() {
    guard !wereMembersHandedOut, let members = list else { return }
    wereMembersHandedOut = true
    members.withUnsafeBytes { bytes in
      let size = MemoryLayout<UnsafeRawPointer>.size
      for position in 0..<min(members.count, Self.nearCount) {
        // As an address, because a retain would wait for the member's memory. An array of objects is an array of addresses,
        // and a prefetch may be requested for any address.
        let member = bytes.load(fromByteOffset: position * size, as: UnsafeRawPointer.self)
        // A `while` loop, because it is fast in debug builds.
        var offset = 0
        while offset < Self.nearBytes {
          requestCacheLine(member + offset)
          offset += 64
        }
      }
    }
  }

  /// The number of members that fit into the nearer caches, and the number of bytes that each takes there.
  private static let nearCount = 1024
  private static let nearBytes = 192
}
