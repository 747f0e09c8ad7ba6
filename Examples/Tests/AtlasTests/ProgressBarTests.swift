import Testing

@testable import Atlas

@Suite("The progress bar of Atlas")
struct ProgressBarTests {
  @Test("The bar fits into a terminal of any width", arguments: [0, 1, 10, 20, 30, 40, 80, 500])
  func width(columns: Int) {
    for done in 0...669 {
      let text = ProgressBar.text(done, of: 669, columns: columns)
      #expect(text.count < max(columns, 1), "\(text)")
    }
  }

  @Test("The bar is full at the end, and empty at the start")
  func ends() {
    #expect(ProgressBar.text(0, of: 8, columns: 24) == "  ░░░░░░░░░ 0 of 8 rows")
    #expect(ProgressBar.text(8, of: 8, columns: 24) == "  █████████ 8 of 8 rows")
    #expect(ProgressBar.text(8, of: 8, columns: 200).filter { $0 == "█" }.count == 40)
    #expect(ProgressBar.text(0, of: 0, columns: 24).contains("0 of 0 rows"))
  }

  @Test("A narrow terminal shows only the numbers")
  func narrow() {
    #expect(ProgressBar.text(3, of: 8, columns: 16) == "  3 of 8 rows")
    #expect(ProgressBar.text(3, of: 8, columns: 6) == "  3 o")
  }
}
