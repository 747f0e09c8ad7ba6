import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ModelDiagnostics {
  /// Reports key paths in `#Index` and `#Unique` that do not name a persisted property of the class.
  ///
  /// These are warnings: an extension or a base class, which the syntax does not show, may have the property. The compiler
  /// rejects unknown properties, but its errors do not name them.
  static func reportUnknownKeyPaths(
    of model: ModelDeclaration, isSubclass: Bool, in context: some MacroExpansionContext
  ) {
    let persisted = model.persistedProperties.map(\.name)
    let overridden = model.overriddenNames
    let members = model.memberNames.subtracting(overridden)
    for member in model.syntax.memberBlock.members {
      guard let expansion = member.decl.as(MacroExpansionDeclSyntax.self),
        ["Index", "Unique"].contains(expansion.macroName.text)
      else { continue }
      let finder = KeyPathFinder(root: model.name)
      finder.walk(expansion.arguments)
      for token in finder.names where !persisted.contains(token.nameWithoutBackticks) {
        let name = token.nameWithoutBackticks
        let isMember = members.contains(name)
        let closest = isMember ? nil : name.closest(among: persisted)
        // A base class may have a member of any other name.
        let isUnknown = !isSubclass && (closest != nil || model.syntax.inheritanceClause == nil)
        guard isMember || isUnknown else { continue }
        if overridden.contains(name) { continue }
        let problem =
          isMember
          ? "'\(name)' is not a persisted property" : "'\(model.name)' declares no persisted property '\(name)'"
        let fixIts = closest.map { closest in
          FixIt.replacing(
            token, with: token.with(\.tokenKind, .identifier(closest)), id: "replaceProperty",
            "change to '\(closest)'")
        }
        context.diagnose(
          .warning(
            "unknownKeyPath",
            "#\(expansion.macroName.text): \(problem)" + (closest.map { "; did you mean '\($0)'?" } ?? "")),
          at: token, fixIts: [fixIts].compactMap(\.self))
      }
    }
  }
}

/// Finds the first components of key paths that begin at a class.
private final class KeyPathFinder: SyntaxVisitor {
  private let root: String
  var names: [TokenSyntax] = []

  init(root: String) {
    self.root = root
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
    let written = node.root?.trimmedDescription
    let first = node.components.first?.component
    if written == nil || written == root, let step = first?.as(KeyPathPropertyComponentSyntax.self) {
      names.append(step.declName.baseName)
    }
    return .visitChildren
  }
}
