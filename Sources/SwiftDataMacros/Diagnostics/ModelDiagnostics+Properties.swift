import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ModelDiagnostics {
  static func reportProperties(of variable: VariableDeclSyntax, in context: some MacroExpansionContext) {
    let isTransient = variable.attributes.attribute(named: "Transient") != nil
    if isTransient {
      for property in StoredProperty.properties(in: variable) {
        reportTransient(property, in: context)
      }
      return
    }
    reportUnstorableTypes(in: variable, in: context)
    guard !variable.isTypeMember, variable.bindingSpecifier.tokenKind == .keyword(.var) else { return }
    if let modifier = variable.modifier(in: [.lazy, .weak, .unowned]) {
      reportUnstorable(variable, modifier: modifier, in: context)
      return
    }
    guard variable.bindings.count == 1 else {
      reportSeveralBindings(variable, in: context)
      return
    }
    reportTuple(variable, in: context)
    guard let property = StoredProperty.properties(in: variable).first else { return }
    reportObservers(of: property, in: context)
    reportName(of: property, in: context)
  }

  /// Reports a property in an `#if` clause. The compiler expands attributes only in active clauses, so a property of another
  /// platform is not an error here.
  static func reportConditional(_ variable: VariableDeclSyntax, in context: some MacroExpansionContext) {
    context.diagnose(
      .error(
        "conditionalProperty",
        """
        a persisted property inside '#if' is not supported: @Model cannot see which clause is active; \
        declare it outside, or add '@Transient'
        """),
      at: variable, fixIts: [.addingTransient(to: variable)])
  }

  private static func reportTransient(_ property: StoredProperty, in context: some MacroExpansionContext) {
    guard property.initialValue == nil, !property.isOptional, let type = property.type,
      !property.declaration.isTypeMember, !property.isWeakOrUnowned
    else { return }
    let value: ExprSyntax = type.emptyLiteral.map { "\(raw: $0)" } ?? "<#default value#>"
    var binding = property.binding
    let trailing = binding.typeAnnotation?.trailingTrivia ?? []
    binding.typeAnnotation?.trailingTrivia = []
    binding.initializer = InitializerClauseSyntax(
      leadingTrivia: .space, equal: .equalToken(trailingTrivia: .space), value: value, trailingTrivia: trailing)
    context.diagnose(
      .error(
        "transientWithoutDefault",
        "@Transient requires non-optional property '\(property.name)' to have a default value"),
      at: property.identifierInSource,
      fixIts: [.replacing(property.binding, with: binding, id: "addDefault", "add a default value")])
  }

  private static func reportUnstorableTypes(in variable: VariableDeclSyntax, in context: some MacroExpansionContext) {
    for property in StoredProperty.properties(in: variable) where !property.isConstant || property.initialValue == nil {
      guard let type = property.unstorableType else { continue }
      // The type in `property` is a copy of the source's syntax node.
      let place = property.binding.typeAnnotation?.type.unstorablePart.map(Syntax.init) ?? property.identifierInSource
      context.diagnose(
        .error(
          "unstorableType",
          """
          '\(property.name)' cannot be persisted: \(type.kindDescription) is not 'Codable' and no model; \
          choose another type, or add '@Transient'
          """),
        at: place, fixIts: [.addingTransient(to: variable)])
    }
  }

  private static func reportUnstorable(
    _ variable: VariableDeclSyntax, modifier: DeclModifierSyntax, in context: some MacroExpansionContext
  ) {
    let word = modifier.name.text
    let advice =
      word == "lazy" ? "add '@Transient'" : "make this one a strong optional relationship, or add '@Transient'"
    var fixIts = [FixIt.addingTransient(to: variable)]
    if word == "weak" {
      fixIts.insert(.removing(modifier, from: variable), at: 0)
    }
    context.diagnose(
      .error("unstorableProperty", "'\(word)' properties cannot be persisted; \(advice)"), at: modifier,
      fixIts: fixIts)
  }

  private static func reportSeveralBindings(_ variable: VariableDeclSyntax, in context: some MacroExpansionContext) {
    let properties = StoredProperty.properties(in: variable)
    guard !properties.isEmpty else { return }
    var fixIts: [FixIt] = []
    if properties.count == variable.bindings.count {
      fixIts = [splitting(variable, into: properties)]
    }
    context.diagnose(
      .error("severalBindings", "@Model needs a declaration of its own for each persisted property"), at: variable,
      fixIts: fixIts)
  }

  private static func splitting(_ variable: VariableDeclSyntax, into properties: [StoredProperty]) -> FixIt {
    let indent = variable.leadingTrivia.pieces.reversed().prefix { !$0.isNewline }.reversed()
    let lineBreak = Trivia.newline + Trivia(pieces: indent.filter(\.isSpaceOrTab))
    let declarations = properties.enumerated().map { offset, property in
      var binding = property.binding.with(\.trailingComma, nil).trimmed
      if binding.typeAnnotation == nil, binding.initializer == nil, let type = property.type {
        binding.pattern.trailingTrivia = []
        binding.typeAnnotation = TypeAnnotationSyntax(colon: .colonToken(trailingTrivia: .space), type: type)
      }
      var single = variable.with(\.bindings, [binding])
      single.leadingTrivia = offset == 0 ? variable.leadingTrivia : lineBreak
      single.trailingTrivia = offset == properties.count - 1 ? variable.trailingTrivia : []
      return CodeBlockItemSyntax(item: .decl(DeclSyntax(single)))
    }
    return .replacing(
      variable, with: CodeBlockItemListSyntax(declarations), id: "splitDeclaration", "split the declaration")
  }

  private static func reportTuple(_ variable: VariableDeclSyntax, in context: some MacroExpansionContext) {
    guard let pattern = variable.bindings.first?.pattern.as(TuplePatternSyntax.self) else { return }
    context.diagnose(
      .error("tuplePattern", "@Model cannot persist what a tuple pattern declares; declare each property by itself"),
      at: pattern)
  }

  private static func reportObservers(of property: StoredProperty, in context: some MacroExpansionContext) {
    guard let observers = property.binding.accessorBlock else { return }
    context.diagnose(
      .warning(
        "observersNeverRun",
        "observers of the persisted property '\(property.name)' never run; they do run for a '@Transient' property"),
      at: observers)
  }

  private static func reportName(of property: StoredProperty, in context: some MacroExpansionContext) {
    switch property.name {
    case "persistentBackingData":
      context.diagnose(
        .error("reservedName", "'\(property.name)' is a member that @Model adds; choose another name"),
        at: property.identifierInSource)
    case "hasChanges", "isDeleted", "modelContext", "persistentModelID":
      context.diagnose(
        .warning(
          "hidesMember", "'\(property.name)' hides the property of that name that every PersistentModel has"),
        at: property.identifierInSource)
    default:
      break
    }
  }
}
