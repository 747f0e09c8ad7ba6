import Foundation
import Relational

/// A model: a row of a source, or the key of a row.
struct ModelTerm {
  enum Row {
    /// The row of a table with this alias.
    case source(String)
    case key(ScalarTerm)
  }

  var layout: EntityLayout
  var row: Row
  /// Whether there is a model; nil if it is not optional.
  var presence: Presence?

  init(_ layout: EntityLayout, source alias: String) {
    self.layout = layout
    row = .source(alias)
  }

  init(_ layout: EntityLayout, key: ScalarTerm) {
    self.layout = layout
    row = .key(key)
    presence = key.presence
  }

  var key: ScalarTerm {
    switch row {
    case .source(let alias):
      ScalarTerm(
        .column(table: alias, name: LayoutNames.primaryKey), .int, isOptional: presence != nil)
    case .key(let key): key
    }
  }

  var unwrapped: ModelTerm {
    var unwrapped = self
    unwrapped.presence = nil
    if case .key(let key) = row { unwrapped.row = .key(key.unwrapped) }
    return unwrapped
  }

  /// A value of the row.
  func column(_ name: String, _ kind: ScalarKind, isOptional: Bool, _ context: TranslationContext) -> ScalarTerm {
    let search = context.searches.search(of: name, in: layout.table)
    switch row {
    case .source(let alias):
      return ScalarTerm(.column(table: alias, name: name), kind, isOptional: isOptional, search: search)
    case .key(let key):
      let lookup = ScalarTerm.Lookup(table: layout.table, alias: context.makeAlias(), key: key)
      return ScalarTerm(
        .column(table: lookup.alias, name: name), kind, isOptional: isOptional, lookup: lookup, search: search)
    }
  }

  /// Whether the model is of an entity or one of its subentities.
  func isKind(of other: EntityLayout, _ context: TranslationContext) -> Condition {
    guard other.root === layout.root, let type = layout.typeColumn else {
      return .always(layout.entity.isKind(of: other.entity))
    }
    if layout.entity.isKind(of: other.entity) { return .always(true) }
    guard other.entity.isKind(of: layout.entity) else { return .always(false) }
    let names = other.family.map { Value.text($0.entity.name) }
    let column = column(type, .text, isOptional: false, context)
    return .exact(
      column.test {
        names.count == 1 ? .binary(.equal, $0, .value(names[0])) : .isIn($0, names)
      })
  }
}
