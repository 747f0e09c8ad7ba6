import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The diagnostics of `@Attribute`, `@Relationship` and `@Transient` for declarations on which they have no meaning.
///
/// Apple's macros accept every property, so a marker without effect is a warning; only a contradiction is an error.
enum MarkerDiagnostics {
  static func report(
    _ marker: AttributeSyntax, named name: String, on declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) {
    let removal = { FixIt.removing(marker, from: declaration) }
    guard let variable = declaration.as(VariableDeclSyntax.self) else {
      context.diagnose(
        .error("markerOnNoProperty", "@\(name) can be attached to a stored property only"), at: marker,
        fixIts: removal())
      return
    }
    if let enclosing = context.lexicalContext.first, !enclosing.is(ClassDeclSyntax.self) {
      context.diagnose(
        .warning("markerOutsideOfModel", "@\(name) has no effect outside of a class with @Model"), at: marker,
        fixIts: removal())
      return
    }
    if let kind = variable.kindWithoutStorage {
      context.diagnose(
        .warning("markerWithoutStorage", "@\(name) has no effect on a \(kind) property"), at: marker,
        fixIts: removal())
      return
    }
    reportConflicts(of: marker, named: name, on: variable, in: context)
    if name == "Relationship" { reportValue(of: marker, on: variable, in: context) }
    if name == "Relationship", variable.bindingSpecifier.tokenKind == .keyword(.let) {
      context.diagnose(
        .error("constantRelationship", "a relationship is changed from its other side too, so it must be a 'var'"),
        at: variable.bindingSpecifier, fixIts: [.replacing(keyword: variable.bindingSpecifier, with: "var")])
    }
  }

  /// Reports a relationship whose type is not a model, judging by the name of the type.
  private static func reportValue(
    of marker: AttributeSyntax, on variable: VariableDeclSyntax, in context: some MacroExpansionContext
  ) {
    guard let type = StoredProperty.properties(in: variable).first?.type, let name = type.knownValueName else { return }
    context.diagnose(
      .warning("relationshipToValue", "a relationship leads to models, and '\(name)' is none; use '@Attribute'"),
      at: marker)
  }

  private static func reportConflicts(
    of marker: AttributeSyntax, named name: String, on variable: VariableDeclSyntax,
    in context: some MacroExpansionContext
  ) {
    func other(_ otherName: String) -> AttributeSyntax? {
      name == otherName ? nil : variable.attributes.attribute(named: otherName)
    }
    if name == "Relationship", let attribute = other("Attribute") {
      context.diagnose(
        .error("attributeAndRelationship", "a property is an attribute or a relationship, never both"), at: marker,
        fixIts: FixIt.removing(attribute, from: variable) + FixIt.removing(marker, from: variable))
    }
    if name != "Transient", other("Transient") != nil {
      context.diagnose(
        .warning("markerOnTransient", "@\(name) has no effect on a '@Transient' property, which is not persisted"),
        at: marker, fixIts: FixIt.removing(marker, from: variable))
    }
  }
}

extension VariableDeclSyntax {
  fileprivate var kindWithoutStorage: String? {
    if isTypeMember { return "static" }
    if modifier(in: [.lazy]) != nil { return nil }
    return StoredProperty.properties(in: self).isEmpty ? "computed" : nil
  }
}
