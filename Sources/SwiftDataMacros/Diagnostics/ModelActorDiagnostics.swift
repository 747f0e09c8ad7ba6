import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The diagnostics of `@ModelActor` for unsupported declarations.
enum ModelActorDiagnostics {
  static func reportNoActor(_ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext) {
    let keyword = declaration.introducer
    let fixIts =
      declaration.is(ClassDeclSyntax.self) || declaration.is(StructDeclSyntax.self)
      ? [FixIt.replacing(keyword: keyword, with: "actor")] : []
    context.diagnose(
      .error(
        "modelActorIsNoActor", "@ModelActor can be attached to an actor only, not to \(declaration.kindWithArticle)"),
      at: keyword, fixIts: fixIts)
  }
}
