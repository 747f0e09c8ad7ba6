import Foundation
@testable import SwiftData
import Testing

@Test func scratchOSD() throws {
  let folder = try TemporaryFolder()
  let container = try ModelContainer(
      for: Team.self, Player.self, Skill.self, Badge.self, Node.self,
      configurations: ModelConfiguration(url: folder.file()))
  let context = ModelContext(container)
  let one = Player(text: "1"); context.insert(one)
  let two = Skill(text: "2"); context.insert(two)
  let three = Player(text: "3", skills: [two]); context.insert(three)
  two.players = [three, one]
  try context.save()
  _ = try context.fetch(FetchDescriptor<Skill>())
  let property = ModelRuntime.of(Skill.self).relationships[0]
  func show(_ note: String) {
    print("SHOW", note, property.isLoaded(two), property.loadedTargets(of: two).map { ($0 as! Player).text }, two._$withState { ($0.dirty, $0.status, $0.key, $0.isFault) })
  }
  show("before")
  let four = Player(text: "4")
  four.skills = [two]
  show("linked")
  print("SHOW", two.players.map(\.text))
  show("read")
}
