import Foundation
import Relational

/// A struct whose fields have columns of their own.
struct CompositeTerm {
  var model: ModelTerm
  var columns: ArraySlice<String>
  var hasPresence: Bool
  var fields: [ColumnCoding.Field]
  var isOptional: Bool
  /// Whether the owner of the struct exists.
  var outerPresence: Presence?

  /// The field of the struct for a key path.
  func field(_ keyPath: AnyKeyPath, _ context: TranslationContext) throws -> Term {
    guard let name = FieldNames.name(behind: keyPath) else {
      throw Untranslatable("the key path refers to no stored property of \(type(of: keyPath).rootType)")
    }
    return try field(name, context)
  }

  func field(_ name: String, _ context: TranslationContext) throws -> Term {
    guard let field = fields.first(where: { $0.name == name }) else {
      throw Untranslatable("\(name) has no column")
    }
    let isOptional = isOptional || field.isOptional
    let columns = columns.dropFirst(field.offset).prefix(field.coding.columnCount)
    if case .composite(let hasPresence, let fields) = field.coding {
      return .composite(
        CompositeTerm(
          model: model, columns: columns, hasPresence: hasPresence, fields: fields, isOptional: isOptional))
    }
    guard let column = columns.first else { throw Untranslatable("\(name) has no column") }
    let kind = ScalarKind(field.coding, valueType: field.valueType, isExternal: false)
    return .scalar(model.column(column, kind, isOptional: isOptional, context))
  }

  var unwrapped: CompositeTerm {
    var unwrapped = self
    unwrapped.isOptional = false
    unwrapped.outerPresence = nil
    return unwrapped
  }

  /// Nil if the struct is not optional.
  func presence(_ context: TranslationContext) throws -> Presence? {
    guard isOptional else { return outerPresence }
    guard let column = presenceColumn else { throw Untranslatable("no column distinguishes a nil struct") }
    let marker = model.column(column, .int, isOptional: true, context)
    guard case .source(let alias) = model.row else { return Presence(notNull: marker.expression).and(outerPresence) }
    return Presence(
      SQLTest(.isNotNull(marker.expression)), nullExpressions: columns.map { .column(table: alias, name: $0) }
    ).and(outerPresence)
  }

  /// A column that is null if and only if the struct is nil.
  private var presenceColumn: String? {
    if hasPresence { return columns.first }
    for field in fields where !field.isOptional {
      let columns = columns.dropFirst(field.offset).prefix(field.coding.columnCount)
      guard case .composite(let hasPresence, let fields) = field.coding else { return columns.first }
      let inner = CompositeTerm(
        model: model, columns: columns, hasPresence: hasPresence, fields: fields, isOptional: false)
      if let column = inner.presenceColumn { return column }
    }
    return nil
  }
}
