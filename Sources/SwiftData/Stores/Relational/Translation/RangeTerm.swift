/// A range of values, unbounded at an end that is nil.
struct RangeTerm {
  var lower: Term?
  var upper: Term?
  var includesUpper: Bool
}

/// A captured range.
protocol CapturedRange {
  var term: RangeTerm { get }
}

extension ClosedRange: CapturedRange {
  var term: RangeTerm { RangeTerm(lower: .constant(lowerBound), upper: .constant(upperBound), includesUpper: true) }
}

extension Range: CapturedRange {
  var term: RangeTerm { RangeTerm(lower: .constant(lowerBound), upper: .constant(upperBound), includesUpper: false) }
}

extension PartialRangeFrom: CapturedRange {
  var term: RangeTerm { RangeTerm(lower: .constant(lowerBound), includesUpper: false) }
}

extension PartialRangeUpTo: CapturedRange {
  var term: RangeTerm { RangeTerm(upper: .constant(upperBound), includesUpper: false) }
}

extension PartialRangeThrough: CapturedRange {
  var term: RangeTerm { RangeTerm(upper: .constant(upperBound), includesUpper: true) }
}
