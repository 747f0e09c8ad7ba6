import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import TestedMacros

/// Expects the plug-in's expansion of `source`.
///
/// - Parameter isSubclass: whether the compiler would find that the class inherits its conformances.
func expectExpansion(
  of source: String, isSubclass: Bool = false, is expansion: String,
  at location: Testing.SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: expansion, macroSpecs: macroSpecs(isSubclass: isSubclass), indentationWidth: .spaces(2),
    failureHandler: { Issue.record("\($0.message)", sourceLocation: location) })
}

/// Expects diagnostics, and the source with their fix-its applied. The expansion does not matter.
///
/// - Parameter fixIts: the messages of the fix-its to apply: the first one of each diagnostic unless given.
func expectDiagnostics(
  in source: String, _ diagnostics: [DiagnosticSpec], applying fixIts: [String]? = nil, fixed: String? = nil,
  isSubclass: Bool = false, at location: Testing.SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: "", diagnostics: diagnostics, macroSpecs: macroSpecs(isSubclass: isSubclass),
    applyFixIts: fixIts, fixedSource: fixed, indentationWidth: .spaces(2),
    failureHandler: { failure in
      guard !failure.message.hasPrefix("Macro expansion did not produce the expected") else { return }
      Issue.record("\(failure.message)", sourceLocation: location)
    })
}

private func macroSpecs(isSubclass: Bool) -> [String: MacroSpec] {
  let missing: [TypeSyntax] =
    isSubclass ? [] : ["SwiftData.PersistentModel", "Observation.Observable", "Swift.Sendable"]
  return [
    "Model": MacroSpec(type: PersistentModelMacro.self, conformances: missing),
    "ModelActor": MacroSpec(type: PersistentModelActorMacro.self, conformances: ["SwiftData.ModelActor"]),
    "Attribute": MacroSpec(type: AttributePropertyMacro.self),
    "Relationship": MacroSpec(type: RelationshipPropertyMacro.self),
    "Transient": MacroSpec(type: TransientPropertyMacro.self),
    "Index": MacroSpec(type: IndexMacro.self),
    "Unique": MacroSpec(type: UniqueConstraintsMacro.self),
    "Query": MacroSpec(type: QueryMacro.self),
    "_PersistedProperty": MacroSpec(type: PersistedPropertyMacro.self),
    "_TransformablePersistedProperty": MacroSpec(type: TransformablePersistedPropertyMacro.self),
  ]
}
