/// The expected graph of masters, beasts and medals, by their names, computed without a context.
struct UndoneGraph: Equatable {
  struct Master: Equatable {
    var count = 0
    var beasts: [String] = []
    var medals: [String] = []
    var partner: String?
  }

  struct Beast: Equatable {
    var age = 0
    var pack: [String] = []
    var packOf: [String] = []
  }

  var masters: [String: Master] = [:]
  var beasts: [String: Beast] = [:]
  /// The masters of each medal.
  var medals: [String: [String]] = [:]

  func master(of beast: String) -> String? {
    masters.first { $0.value.beasts.contains(beast) }?.key
  }

  func partnerOf(_ master: String) -> String? {
    masters.first { $0.value.partner == master }?.key
  }

  // MARK: Changes

  mutating func lead(_ beast: String, to master: String?) {
    let former = self.master(of: beast)
    if former == master { return }
    if let former { masters[former]?.beasts.removeAll { $0 == beast } }
    if let master { masters[master]?.beasts.append(beast) }
  }

  mutating func setBeasts(of master: String, _ new: [String]) {
    for other in masters.keys where other != master { masters[other]?.beasts.removeAll(where: new.contains) }
    masters[master]?.beasts = new
  }

  mutating func setMedals(of master: String, _ new: [String]) {
    let former = masters[master]?.medals ?? []
    for medal in former where !new.contains(medal) { medals[medal]?.removeAll { $0 == master } }
    for medal in new where !former.contains(medal) { medals[medal]?.append(master) }
    masters[master]?.medals = new
  }

  mutating func setMasters(of medal: String, _ new: [String]) {
    let former = medals[medal] ?? []
    for master in former where !new.contains(master) { masters[master]?.medals.removeAll { $0 == medal } }
    for master in new where !former.contains(master) { masters[master]?.medals.append(medal) }
    medals[medal] = new
  }

  mutating func setPack(of beast: String, _ new: [String]) {
    let former = beasts[beast]?.pack ?? []
    for other in former where !new.contains(other) { beasts[other]?.packOf.removeAll { $0 == beast } }
    for other in new where !former.contains(other) { beasts[other]?.packOf.append(beast) }
    beasts[beast]?.pack = new
  }

  mutating func setPartner(of master: String, _ partner: String?) {
    if let partner, let former = partnerOf(partner) { masters[former]?.partner = nil }
    masters[master]?.partner = partner
  }

  mutating func delete(master: String) {
    for beast in masters[master]?.beasts ?? [] { delete(beast: beast) }
    for medal in medals.keys { medals[medal]?.removeAll { $0 == master } }
    if let former = partnerOf(master) { masters[former]?.partner = nil }
    masters[master] = nil
  }

  mutating func delete(beast: String) {
    for master in masters.keys { masters[master]?.beasts.removeAll { $0 == beast } }
    for other in beasts.keys {
      beasts[other]?.pack.removeAll { $0 == beast }
      beasts[other]?.packOf.removeAll { $0 == beast }
    }
    beasts[beast] = nil
  }

  mutating func delete(medal: String) {
    for master in masters.keys { masters[master]?.medals.removeAll { $0 == medal } }
    medals[medal] = nil
  }

  // MARK: Descriptions

  var lines: [String] {
    let masters = masters.map { name, master in
      "\(name) \(master.count) beasts \(master.beasts) medals \(master.medals) partner \(master.partner ?? "-") "
        + "of \(partnerOf(name) ?? "-")"
    }
    let beasts = beasts.map { name, beast in
      "\(name) \(beast.age) master \(master(of: name) ?? "-") pack \(beast.pack) of \(beast.packOf)"
    }
    return (masters + beasts + medals.map { "\($0) masters \($1)" }).sorted()
  }
}
