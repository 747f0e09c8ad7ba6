package import Foundation

/// One damaged store, which follows from its seed.
package struct FuzzCase {
  package let seed: UInt64
  package let hasLog: Bool
  package let damages: [StoreDamage]

  package init(seed: UInt64, plain: StoreCatalog, withLog: StoreCatalog) {
    self.seed = seed
    var random = FuzzGenerator(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 1)
    hasLog = random.chance(3)
    var maker = DamageMaker(hasLog ? withLog : plain, random)
    damages = maker.damages()
  }

  package var description: String {
    (["seed \(seed)\(hasLog ? ", with a log" : "")"] + damages.map { "  \($0)" }).joined(separator: "\n")
  }

  /// Makes the damaged store.
  ///
  /// - Returns: Its file.
  package func make(from template: StoreTemplate, in folder: URL) throws -> URL {
    let store = try template.copy(to: folder, withLog: hasLog)
    for damage in damages { damage.apply(to: store) }
    return store
  }
}
