import SwiftSyntax
import SwiftSyntaxMacros

/// A macro that expands to nothing: `@Model` reads its arguments from the class.
protocol MarkerMacro: PeerMacro {
  static var name: String { get }
}

extension MarkerMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    MarkerDiagnostics.report(node, named: name, on: declaration, in: context)
    return []
  }
}

struct AttributePropertyMacro: MarkerMacro {
  static let name = "Attribute"
}

struct RelationshipPropertyMacro: MarkerMacro {
  static let name = "Relationship"
}

struct TransientPropertyMacro: MarkerMacro {
  static let name = "Transient"
}

/// A macro that declares a constraint of the enclosing class, where `@Model` reads it.
protocol ConstraintMacro: DeclarationMacro {}

extension ConstraintMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    ConstraintDiagnostics.report(node, in: context)
    return []
  }
}

struct UniqueConstraintsMacro: ConstraintMacro {}
struct IndexMacro: ConstraintMacro {}
