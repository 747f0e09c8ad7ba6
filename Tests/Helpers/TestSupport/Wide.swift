import SwiftData

enum Wide {
  /// 63 properties, and then the ones that share the last bit of the dirty mask.
  @Model
  class WideSwapRow {
    var p0 = 0
    var p1 = 1
    var p2 = 2
    var p3 = 3
    var p4 = 4
    var p5 = 5
    var p6 = 6
    var p7 = 7
    var p8 = 8
    var p9 = 9
    var p10 = 10
    var p11 = 11
    var p12 = 12
    var p13 = 13
    var p14 = 14
    var p15 = 15
    var p16 = 16
    var p17 = 17
    var p18 = 18
    var p19 = 19
    var p20 = 20
    var p21 = 21
    var p22 = 22
    var p23 = 23
    var p24 = 24
    var p25 = 25
    var p26 = 26
    var p27 = 27
    var p28 = 28
    var p29 = 29
    var p30 = 30
    var p31 = 31
    var p32 = 32
    var p33 = 33
    var p34 = 34
    var p35 = 35
    var p36 = 36
    var p37 = 37
    var p38 = 38
    var p39 = 39
    var p40 = 40
    var p41 = 41
    var p42 = 42
    var p43 = 43
    var p44 = 44
    var p45 = 45
    var p46 = 46
    var p47 = 47
    var p48 = 48
    var p49 = 49
    var p50 = 50
    var p51 = 51
    var p52 = 52
    var p53 = 53
    var p54 = 54
    var p55 = 55
    var p56 = 56
    var p57 = 57
    var p58 = 58
    var p59 = 59
    var p60 = 60
    var p61 = 61
    var p62 = 62
    @Attribute(.unique) var code: Int
    var name: String
    var friend: WideSwapFriend?

    init(_ name: String, _ code: Int) {
      self.name = name
      self.code = code
    }
  }

  @Model
  final class WideSwapFriend {
    var name: String

    init(_ name: String) {
      self.name = name
    }
  }
}
