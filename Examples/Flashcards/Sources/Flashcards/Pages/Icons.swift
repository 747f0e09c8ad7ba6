/// Pictures in buttons. Each button also has a name for screen readers.
enum Icons {
  static let delete: HTML = """
    <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M5 5l10 10M15 5L5 15"/></svg>
    """
  static let undo: HTML = """
    <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M7 4L3 8l4 4M3 8h9a5 5 0 0 1 0 10H9"/></svg>
    """
  static let redo: HTML = """
    <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M13 4l4 4-4 4M17 8H8a5 5 0 0 0 0 10h3"/></svg>
    """
}
