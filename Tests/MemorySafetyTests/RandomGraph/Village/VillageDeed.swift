import SwiftData

@testable import TestSupport

/// An operation on the village with a predictable outcome.
enum VillageDeed: CustomStringConvertible {
  case read(PersistentIdentifier, VillageLink)
  case fetch(VillageKind)
  case set(PersistentIdentifier, VillageField, Int)
  case assign(PersistentIdentifier, VillageLink, [PersistentIdentifier])
  case append(PersistentIdentifier, VillageLink, PersistentIdentifier)
  case remove(PersistentIdentifier, VillageLink, Int)
  case delete(PersistentIdentifier)
  case insert(VillageKind, Int, VillageLink, PersistentIdentifier, isByOtherSide: Bool)

  var description: String {
    switch self {
    case .read(let identifier, let link): "read \(brief(identifier)).\(link.name)"
    case .fetch(let kind): "fetch \(kind)"
    case .set(let identifier, let field, let number): "\(brief(identifier)).\(field.name) = \(number)"
    case .assign(let identifier, let link, let targets):
      "\(brief(identifier)).\(link.name) = \(targets.map(brief))"
    case .append(let identifier, let link, let target):
      "\(brief(identifier)).\(link.name).append(\(brief(target)))"
    case .remove(let identifier, let link, let place): "\(brief(identifier)).\(link.name).remove(at: \(place))"
    case .delete(let identifier): "delete \(brief(identifier))"
    case .insert(let kind, let number, let link, let target, let isByOtherSide):
      "new \(kind) \(number) .\(link.name) = \(brief(target))\(isByOtherSide ? " by the other side" : "")"
    }
  }

  var isInsertion: Bool {
    if case .insert = self { return true }
    return false
  }

  /// Performs the operation.
  ///
  /// - Parameter find: Returns the model of an identifier.
  func perform(_ context: ModelContext, _ find: (PersistentIdentifier) -> any PersistentModel) throws {
    switch self {
    case .read(let identifier, let link): _ = link.read(find(identifier))
    case .fetch(let kind): _ = try context.villagers(of: kind)
    case .set(let identifier, let field, let number): _ = field.write(find(identifier), number)
    case .assign(let identifier, let link, let targets): link.write(find(identifier), targets.map(find))
    case .append(let identifier, let link, let target): link.append(find(identifier), find(target))
    case .remove(let identifier, let link, let place): link.removeMember(find(identifier), place)
    case .delete(let identifier): context.delete(find(identifier))
    case .insert(let kind, let number, let link, let target, let isByOtherSide):
      let made = kind.make(number, house: nil)
      if isByOtherSide, let inverse = link.inverse {
        inverse.append(find(target), made)
      } else {
        context.insert(made)
        link.write(made, [find(target)])
      }
    }
  }

  /// The expected contents of the store once the operation is saved; nil when the save is refused.
  ///
  /// - Parameters:
  ///   - after: The actual contents, which give the identifier of an inserted row.
  ///   - isLinked: Whether an inserted model was linked too.
  func predict(_ image: VillageImage, after: VillageImage, isLinked: Bool = true) -> VillageImage? {
    var image = image
    switch self {
    case .read, .fetch: break
    case .set(let identifier, let field, let number):
      guard let kind = image.rows[identifier]?.kind else { break }
      image.rows[identifier]?.fields[field.name] = field.write(kind.make(0, house: nil), number)
    case .assign(let identifier, let link, let targets): image.assign(identifier, link, targets)
    case .append(let identifier, let link, let target):
      image.assign(
        identifier, link, link.isToMany ? (image.rows[identifier]?.links[link.name] ?? []) + [target] : [target])
    case .remove(let identifier, let link, let place):
      var members = image.rows[identifier]?.links[link.name] ?? []
      if !members.isEmpty { members.remove(at: place % members.count) }
      image.assign(identifier, link, members)
    case .delete(let identifier): if !image.delete(identifier) { return nil }
    case .insert(let kind, let number, let link, let target, _):
      guard let new = after.rows.keys.first(where: { image.rows[$0] == nil }) else { return nil }
      let model = kind.make(number, house: nil)
      image.rows[new] = VillageImage.Row(kind: kind)
      for field in kind.fields { image.rows[new]?.fields[field.name] = field.read(model) }
      for link in kind.links { image.rows[new]?.links[link.name] = [] }
      if isLinked { image.assign(new, link, [target]) }
    }
    do {
      try image.checkConsistency()
      return image
    } catch {
      return nil
    }
  }
}
