import Foundation
import Testing

@testable import SwiftData
@testable import TestModels
@testable import TestSupport

@Suite("Inspecting predicates and key paths")
struct PredicateInspectionTests {
  @Test("A predicate that visits other models is distinguished from one that does not")
  func relationships() {
    func uses(_ predicate: Predicate<Voyage>) -> Bool {
      PredicateInspection.visitedTypes(predicate)?.isEmpty != true
    }
    let id = Voyage("").persistentModelID
    let captured = Captain("Nemo").persistentModelID
    #expect(!uses(#Predicate { $0.distance == 3 && $0.berth.pier == "a" && $0.persistentModelID == id }))
    #expect(!uses(#Predicate { $0.note?.contains("a") == true || $0.name.isEmpty }))
    #expect(!uses(#Predicate { $0.captain == nil }))
    #expect(!uses(#Predicate { $0.captain?.persistentModelID == captured }))
    #expect(!uses(Predicate.true))
    #expect(uses(#Predicate { $0.captain?.name == "a" }))
    #expect(uses(#Predicate { $0.harbors.isEmpty }))
    #expect(uses(#Predicate { $0.label == "a" }))
  }

  @Test("The types of the models that a predicate visits are known")
  func visitedTypes() {
    func visited(_ predicate: Predicate<Voyage>) -> Set<String>? {
      PredicateInspection.visitedTypes(predicate).map { Set($0.map { "\($0)" }) }
    }
    #expect(visited(#Predicate { $0.captain?.name == "a" }) == ["Captain"])
    #expect(visited(#Predicate { $0.captain?.country == nil }) == ["Captain", "Country"])
    #expect(visited(#Predicate { $0.harbors.isEmpty }) == ["Harbor"])
    #expect(
      visited(#Predicate { $0.harbors.contains { $0.voyages.contains { $0.distance == 3 } } }) == ["Harbor", "Voyage"])
    #expect(visited(#Predicate { $0.harbors.contains { $0.label == "a" } }) == nil)
  }

  @Test("Key paths of own, inherited and generic properties name the property")
  func properties() throws {
    let voyages = ModelRuntime.of(Voyage.self)
    let steam = ModelRuntime.of(SteamVoyage.self)
    func name(_ keyPath: AnyKeyPath, _ runtime: ModelRuntime) -> String? {
      KeyPathResolution.propertyIndex(keyPath, runtime).map { runtime.properties[$0].name }
    }
    func genericID<Model: PersistentModel>(of type: Model.Type) -> AnyKeyPath { \Model.id }
    #expect(name(\Voyage.name, voyages) == "name")
    #expect(name(\Voyage.name, steam) == "name")
    #expect(name(\SteamVoyage.name, steam) == "name")
    #expect(name(\SteamVoyage.coal, steam) == "coal")
    #expect(name(\Voyage.captain, voyages) == "captain")
    #expect(name(\Voyage.label, voyages) == nil)
    #expect(name(\Voyage.isSelected, voyages) == nil)
    #expect(name(\Voyage.captain?.name, voyages) == nil)
    #expect(name(genericID(of: Crate.self), ModelRuntime.of(Crate.self)) == "id")
    #expect(name(genericID(of: Voyage.self), voyages) == nil)
  }

  @Test("All key paths of a model's identifier are recognized")
  func identifiers() {
    func generic<Model: PersistentModel>(_ type: Model.Type) -> [AnyKeyPath] { [\Model.persistentModelID, \Model.id] }
    #expect(KeyPathResolution.isIdentifier(\Voyage.persistentModelID))
    #expect(KeyPathResolution.isIdentifier(\Voyage.id))
    #expect(KeyPathResolution.isIdentifier(\SteamVoyage.id))
    #expect(generic(Voyage.self).allSatisfy(KeyPathResolution.isIdentifier))
    #expect(!KeyPathResolution.isIdentifier(\Crate.id))
    #expect(!generic(Crate.self).allSatisfy(KeyPathResolution.isIdentifier))
  }

  @Test("Paths of several steps are split into their properties and fields")
  func paths() throws {
    let runtime = ModelRuntime.of(Voyage.self)
    func steps(_ keyPath: AnyKeyPath) -> [String]? {
      KeyPathResolution.path(keyPath, runtime).map { $0.properties.map(\.name) + $0.fields }
    }
    #expect(steps(\Voyage.name) == ["name"])
    #expect(steps(\Voyage.captain?.name) == ["captain", "name"])
    #expect(steps(\Voyage.captain?.country?.code) == ["captain", "country", "code"])
    #expect(steps(\Voyage.captain!.country) == ["captain", "country"])
    #expect(steps(\Voyage.berth.pier) == ["berth", "pier"])
    #expect(steps(\Voyage.lastBerth?.depth) == ["lastBerth", "depth"])
    #expect(steps(\Voyage.captain?.label) == nil)
    #expect(steps(\Voyage.harbors.count) == nil)
    #expect(steps(\Voyage.label.count) == nil)
  }
}
