internal import CShims
import Foundation

/// The members of a to-many that has some, or waits for them.
@usableFromInline
final class ToManyState {
  // Unchecked, because each access is over before code runs that comes back to the state.
  @exclusivity(unchecked) private var list: [AnyObject]?
  /// Which models are in the list, from when somebody asked; nil as soon as it changes otherwise than at its end.
  @exclusivity(unchecked) private var identities: Set<ObjectIdentifier>?
  private var wereMembersHandedOut = false
  /// The members that the store has, while nobody asked for them as objects.
  var awaited: MemberGroup.Section?
  /// Members that do not know of their owner: an initializer set them, out of sight of the other side.
  var oneSided: Set<ObjectIdentifier> = []

  /// Members that are deleted and were there before, while the relationship is being set.
  var deleted: Set<ObjectIdentifier> = []

  init(members: [AnyObject]?) {
    list = members
  }

  /// All members in order; nil while the store was not asked.
  var members: [AnyObject]? {
    get { list }
    _modify {
      identities = nil
      yield &list
    }
  }

  /// Whether a model is a member. The first of several questions costs as much as there are members.
  func contains(_ model: AnyObject) -> Bool {
    if identities == nil { identities = Set((members ?? []).map(ObjectIdentifier.init)) }
    return identities?.contains(ObjectIdentifier(model)) ?? false
  }

  /// Adds a member at the end of those that there are; nothing while the store was not asked.
  func append(_ model: AnyObject) {
    list?.append(model)
    identities?.insert(ObjectIdentifier(model))
  }

  var isLoaded: Bool { list != nil }

  /// The run of models that another list has more, or less, if that is all the difference between them.
  func run(to other: [AnyObject]) -> (places: Range<Int>, hasCome: Bool)? {
    list?.run(to: other)
  }

  func isLast(_ model: AnyObject) -> Bool {
    list?.last === model
  }

  // MARK: Lending

  /// Whether an array is the list, which may be changed by appending to it: each member is a model that knows its owner.
  func canBeLent<Member: PersistentModel>(as members: [Member]) -> Bool {
    oneSided.isEmpty && isShared(with: members)
  }

  /// Whether an array shares its storage with the list.
  func isShared<Member: PersistentModel>(with members: [Member]) -> Bool {
    guard list?.count == members.count else { return false }
    let start = list?.withUnsafeBytes(\.baseAddress)
    return start == members.withUnsafeBytes(\.baseAddress)
  }

  /// Appends to the list, and to an array that shares its storage, if one does.
  func append<Member: PersistentModel>(_ member: Member, sharedWith members: inout [Member]) -> Bool {
    guard isShared(with: members) else { return false }
    // The storage is changed in place, being the array's alone now. Models are objects, whatever their array is of.
    list = nil
    members.appendPlainly(member)
    list = unsafeBitCast(members, to: [AnyObject].self)
    identities = nil
    return true
  }

  /// Takes the last members off the list.
  func takeLast(_ count: Int) -> [any PersistentModel] {
    let last = (list ?? []).suffix(count).compactMap { $0 as? any PersistentModel }
    list?.removeLast(min(count, list?.count ?? 0))
    return last
  }

  /// Removes models, each from the last place that it has, if it has one.
  func remove(_ models: [AnyObject]) {
    for model in models {
      guard let place = list?.lastIndex(where: { $0 === model }) else { continue }
      identities = nil
      list?.remove(at: place)
    }
  }

  func markOneSided() {
    oneSided = Set((members ?? []).map(ObjectIdentifier.init))
  }

  /// Brings members into the processor's cache that somebody is about to walk through for the first time.
  ///
  /// Rows arrive in the order of their table and make their models in that order, so that those of one owner lie apart.
  /// Reading them one by one would wait for the memory of each.
  func compactMembers() {
    guard !wereMembersHandedOut, let members = list else { return }
    wereMembersHandedOut = true
    members.withUnsafeBytes { bytes in
      let size = MemoryLayout<UnsafeRawPointer>.size
      for place in 0..<min(members.count, Self.nearCount) {
        // As an address, because counting references would wait for the member. An array of objects is one of
        // addresses, and the request may be for any.
        let member = bytes.load(fromByteOffset: place * size, as: UnsafeRawPointer.self)
        // A loop that takes no time in builds for debugging.
        var offset = 0
        while offset < Self.nearBytes {
          requestCacheLine(member + offset)
          offset += 64
        }
      }
    }
  }

  /// How many members fit into the nearer caches, and what each takes of them.
  private static let nearCount = 1024
  private static let nearBytes = 192
}
