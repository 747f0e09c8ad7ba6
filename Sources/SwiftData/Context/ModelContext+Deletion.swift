public import Foundation

extension ModelContext {
  /// Marks `model` for deletion by the next ``save()``; a model that was never saved is just let go.
  ///
  /// The delete rules of its relationships are carried out at once: cascades mark their targets too, and nullified
  /// targets lose the model. `.deny` is looked at by the save. Deleting a deleted model, or one that belongs to no
  /// context, changes nothing. A model's values can be read as long as somebody holds it, and setting them changes
  /// nothing.
  public func delete<T: PersistentModel>(_ model: T) {
    delete(cascadingFrom: model)
    didChange()
  }

  func delete(cascadingFrom root: any PersistentModel) {
    var waiting: [any PersistentModel] = [root]
    while let model = waiting.popLast() {
      let (status, owner, binding) = model._$withState { ($0.status, $0.context, $0.binding) }
      guard owner === self, let binding, status == .inserted || status == .registered else { continue }
      // Its row is read while it is there, so that its last values remain.
      readRow(of: model)
      let relationships = binding.runtime.relationships.map { ($0, rule(of: $0, binding)) }
      let targets = relationships.map { property, rule in
        rule == .noAction && property.inverse(for: model) == nil ? [] : property.targets(of: model)
      }
      mark(model, status)
      for (index, (property, rule)) in relationships.enumerated() {
        switch rule {
        case .cascade:
          waiting += targets[index]
          unlink(model, from: targets[index], property)
        case .nullify:
          unlink(model, from: targets[index], property)
        case .deny, .noAction:
          break
        }
      }
    }
  }

  private func rule(of property: any RelationshipProperty, _ binding: EntityBinding) -> Schema.Relationship.DeleteRule {
    binding.entity.relationship(named: property.name)?.deleteRule ?? .nullify
  }

  private func mark(_ model: any PersistentModel, _ status: _ModelState.Status) {
    if status == .inserted {
      inserted.remove(model)
      dismiss(model)
    } else {
      model._$withState { $0.status = .deleted }
      deleted.append(model)
    }
  }

  private func unlink(
    _ model: any PersistentModel, from targets: [any PersistentModel], _ property: any RelationshipProperty
  ) {
    guard let inverse = property.inverse(for: model) else { return }
    for target in targets where target._$withState({ $0.status == .registered || $0.status == .inserted }) {
      inverse.unlink(model, from: target)
    }
  }

  /// Takes a model whose row is gone out of the context. It keeps its last values.
  func retire(_ model: any PersistentModel) {
    model._$withState { $0.leave(.gone) }
  }

  func removeFromChanged(_ model: any PersistentModel) {
    guard changed.removeValue(forKey: ObjectIdentifier(model)) != nil else { return }
    changedOrder.removeAll { $0 === model }
    model._$withState { state in
      state.change = nil
      state.dirty = 0
    }
  }

  /// Deletes the models of a type that a predicate selects, or all of them.
  ///
  /// They are deleted by the next ``save()``, like models given to ``delete(_:)``: with their delete rules, and with a
  /// rollback bringing them back. Models that are inserted and not saved are not touched, as on Apple's systems.
  ///
  /// - Parameters:
  ///   - model: The type.
  ///   - predicate: Which models; all when nil.
  ///   - includeSubclasses: Whether models of subclasses are deleted as well.
  /// - Throws: ``SwiftDataError/unsupportedPredicate`` and errors of the store.
  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws {
    for found in try fetch(FetchDescriptor<T>(predicate: predicate)) {
      if !includeSubclasses, Swift.type(of: found) != model { continue }
      if found._$withState({ $0.status }) == .inserted { continue }
      delete(cascadingFrom: found)
    }
    didChange()
  }
}
