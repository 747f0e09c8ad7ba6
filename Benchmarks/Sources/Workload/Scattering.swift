/// Bits that look random and are always the same for the same number.
func scattered(_ number: UInt64) -> UInt64 {
  var bits = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
  bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
  bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
  return bits ^ (bits >> 31)
}
