#if !canImport(Darwin)
  import FoundationSupplements

  enum HostileTexts {
    private static let alphabets = [
      "aAbB01", "aA1 -", "0019", "aA0", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ",
      #"a _-,;:!?.'"()[]{}@*/\&#%`^+<=>|~$B01"#, "aAeé\u{301}ßzZ0", "a\t\n\u{0}A1", "01", "a\u{323}\u{307}\u{301}ạ1",
      "a\u{ad}\u{200b}\u{feff}\u{fffe}\u{ffff}\u{10ffff}\u{fffd}0", "٠١٢01a", "가각ㄱㅏ\u{1100}\u{1161}\u{11a8}", "😀👩‍👩‍👧🇩🇪a",
      "K\u{212A};\u{37E}`\u{1FEF}0", "aα\u{301}\u{316}\u{344}\u{345}\u{F71}\u{1D15E}\u{1D165}ᾇệ",
    ].map { Array($0.unicodeScalars) }

    /// Pairs of texts that have much in common.
    static func pairs(_ count: Int) -> [(String, String)] {
      var state: UInt64 = 20_261_121
      func random(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
      }
      return (0..<count).map { number in
        let alphabet = alphabets[number % alphabets.count]
        func text(_ length: Int) -> String {
          var text = String.UnicodeScalarView()
          for _ in 0..<random(length) { text.append(alphabet[random(alphabet.count)]) }
          return String(text)
        }
        let (prefix, suffix) = (random(2) == 0 ? text(6) : "", random(2) == 0 ? text(6) : "")
        // Long ones consist of digits only; such numbers are not read as one.
        let length = number % 100 == 8 ? 600 : 7
        return (prefix + text(length) + suffix, prefix + text(length) + suffix)
      }
    }

    static func key(_ text: String) -> [UInt8] {
      key(Array(text.utf8), .localizedStandard)
    }

    static func key(_ bytes: [UInt8], _ keys: SortKeys) -> [UInt8] {
      var key: [UInt8] = []
      bytes.withUnsafeBytes { bytes in try? keys.withKey(of: bytes) { key = Array($0) } }
      return key
    }
  }
#endif
