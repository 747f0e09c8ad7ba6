import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The diagnostics of `@Model` for declarations that cannot be a model.
enum ModelDiagnostics {
  /// Reports a declaration that is not a class.
  static func reportNoClass(_ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext) {
    let keyword = declaration.introducer
    let fixIts =
      declaration.is(StructDeclSyntax.self) || declaration.is(ActorDeclSyntax.self)
      ? [FixIt.replacing(keyword: keyword, with: "final class")] : []
    context.diagnose(
      .error("modelIsNoClass", "@Model can be attached to a class only, not to \(declaration.kindWithArticle)"),
      at: keyword, fixIts: fixIts)
  }

  /// Reports the problems of a class, and returns whether its members can be generated nevertheless.
  static func report(
    _ model: ModelDeclaration, attribute: AttributeSyntax, isSubclass: Bool, in context: some MacroExpansionContext
  ) -> Bool {
    guard reportGenericClass(model, attribute: attribute, in: context) else { return false }
    reportGlobalActor(model, in: context)
    reportMissingInitializer(model, isSubclass: isSubclass, in: context)
    reportMissingValues(in: model, in: context)
    for member in model.syntax.memberBlock.members {
      guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
      reportProperties(of: variable, in: context)
      reportUnknownOptions(of: variable, in: context)
    }
    reportConstraints(of: model, in: context)
    reportUnknownKeyPaths(of: model, isSubclass: isSubclass, in: context)
    return true
  }

  private static func reportGenericClass(
    _ model: ModelDeclaration, attribute: AttributeSyntax, in context: some MacroExpansionContext
  ) -> Bool {
    guard model.syntax.isGeneric(in: context) else { return true }
    let place: any SyntaxProtocol = model.syntax.genericParameterClause ?? Syntax(attribute)
    context.diagnose(
      Diagnostic(
        node: place,
        message: MacroMessage.error(
          "modelIsGeneric",
          "@Model cannot be attached to the generic class '\(model.name)': a schema names each model by one concrete type"
        )))
    return false
  }

  private static func reportGlobalActor(_ model: ModelDeclaration, in context: some MacroExpansionContext) {
    guard let attribute = model.syntax.attributes.globalActor else { return }
    let name = attribute.attributeName.trimmedDescription
    context.diagnose(
      .warning(
        "modelIsIsolated",
        """
        a model is isolated with the context that it belongs to, not to '\(name)'; the Swift 6 language mode \
        rejects key paths to its properties
        """),
      at: attribute, fixIts: FixIt.removing(attribute, from: model.syntax))
  }

  private static func reportConstraints(of model: ModelDeclaration, in context: some MacroExpansionContext) {
    let expansions = model.syntax.memberBlock.members.compactMap { $0.decl.as(MacroExpansionDeclSyntax.self) }
    for repeated in expansions.filter({ $0.macroName.text == "Unique" }).dropFirst() {
      context.diagnose(
        .warning(
          "repeatedUnique",
          "'\(model.name)' has more than one #Unique; Apple's SwiftData expects all constraints in one, as several arrays"
        ), at: repeated)
    }
    for member in model.syntax.memberBlock.members.conditional {
      guard let expansion = member.decl.as(MacroExpansionDeclSyntax.self),
        ["Index", "Unique"].contains(expansion.macroName.text)
      else { continue }
      context.diagnose(
        .warning("conditionalConstraint", "#\(expansion.macroName.text) inside '#if' has no effect"), at: expansion)
    }
  }
}
