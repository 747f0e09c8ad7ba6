import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The text of a diagnostic or of a fix-it.
struct MacroMessage: DiagnosticMessage, FixItMessage {
  let message: String
  let severity: DiagnosticSeverity
  private let id: String

  private init(id: String, message: String, severity: DiagnosticSeverity) {
    self.id = id
    self.message = message
    self.severity = severity
  }

  static func error(_ id: String, _ message: String) -> MacroMessage {
    MacroMessage(id: id, message: message, severity: .error)
  }

  static func warning(_ id: String, _ message: String) -> MacroMessage {
    MacroMessage(id: id, message: message, severity: .warning)
  }

  static func fixIt(_ id: String, _ message: String) -> MacroMessage {
    MacroMessage(id: id, message: message, severity: .note)
  }

  var diagnosticID: MessageID {
    MessageID(domain: "SwiftData", id: id)
  }

  var fixItID: MessageID {
    diagnosticID
  }
}

extension MacroExpansionContext {
  func diagnose(_ message: MacroMessage, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
    diagnose(Diagnostic(node: node, message: message, fixIts: fixIts))
  }
}
