import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ModelDiagnostics {
  static func reportMissingInitializer(
    _ model: ModelDeclaration, isSubclass: Bool, in context: some MacroExpansionContext
  ) {
    guard !model.hasDesignatedInitializer, model.properties.contains(where: \.needsInitializer) else { return }
    context.diagnose(
      .error("missingInitializer", "@Model requires an initializer be provided for '\(model.name)'"),
      at: model.syntax.name, fixIts: [insertingInitializer(into: model, isSubclass: isSubclass)])
  }

  /// Reports the properties that an initializer leaves without a value. The compiler cannot, because their slots have initial
  /// values.
  static func reportMissingValues(in model: ModelDeclaration, in context: some MacroExpansionContext) {
    let needed = model.properties.filter { $0.needsInitializer && !$0.isConstant }.map(\.name)
    guard !needed.isEmpty else { return }
    // The macro does not know which `#if` clause is compiled, so it ignores initializers inside `#if`.
    for member in model.syntax.memberBlock.members {
      guard let initializer = member.decl.as(InitializerDeclSyntax.self), let body = initializer.body,
        !initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) })
      else { continue }
      let missing = InitializerFlow.missing(of: Set(needed), in: body.statements, members: model.memberNames)
      let names = needed.filter(missing.contains).map { "'\($0)'" }
      guard let last = names.last else { continue }
      let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
      context.diagnose(
        .error(
          "missingValue",
          "the initializer may leave \(list) without a value; set \(names.count == 1 ? "it" : "them") on every way "
            + "through it, or give a default value where the property is declared"),
        at: initializer.initKeyword)
    }
  }

  private static func insertingInitializer(into model: ModelDeclaration, isSubclass: Bool) -> FixIt {
    let members = model.syntax.memberBlock.members
    let properties = model.properties.filter { $0.isPersisted && $0.type != nil }
    let indent = members.first?.indentation ?? "  "
    let outer = model.syntax.memberBlock.rightBrace.leadingTrivia.indentation
    let step = indent.hasPrefix(outer) && indent != outer ? String(indent.dropFirst(outer.count)) : "  "

    let parameters = properties.map { property in
      let value = property.initialValue ?? (property.hasImplicitDefault ? "nil" : nil)
      let type = property.storedTypeDescription ?? ""
      return "\(property.identifier.text): \(type)" + (value.map { " = \($0.trimmedDescription)" } ?? "")
    }
    var body = properties.map { "self.\($0.identifier.text) = \($0.identifier.text)" }
    if isSubclass { body.append("super.init(<#arguments#>)") }
    let lines =
      ["\(model.access)init(\(parameters.joined(separator: ", "))) {"] + body.map { indent + step + $0 }
      + [indent + "}"]
    let text = (lines.first ?? "") + "\n" + lines.dropFirst().joined(separator: "\n")

    let initializer = MemberBlockItemSyntax(decl: DeclSyntax("\(raw: text)"))
      .with(\.leadingTrivia, Trivia(pieces: [.newlines(2), .spaces(0)]) + .spaces(indent.count))
    let lastProperty = members.lastIndex { $0.decl.is(VariableDeclSyntax.self) && !$0.isComputedProperty }
    var inserted = members
    inserted.insert(initializer, at: lastProperty.map { members.index(after: $0) } ?? members.endIndex)
    return .replacing(members, with: inserted, id: "insertInitializer", "insert an initializer")
  }
}

extension MemberBlockItemSyntax {
  fileprivate var indentation: String {
    leadingTrivia.indentation
  }

  fileprivate var isComputedProperty: Bool {
    decl.as(VariableDeclSyntax.self).map { StoredProperty.properties(in: $0).isEmpty } ?? false
  }
}

extension Trivia {
  /// The indentation after the last line break.
  fileprivate var indentation: String {
    String(description.reversed().prefix { $0 == " " || $0 == "\t" }.reversed())
  }
}
