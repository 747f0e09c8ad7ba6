import Foundation
import Testing

@testable import FileWatching

struct FolderObserversTests {
  private final class Listener {}
  private let first = Listener()
  private let second = Listener()
  private var listeners = FolderObservers<Listener>()

  init() {
    listeners.add(first, at: [place(1, "a"), place(2, "b"), place(1, "a")])
    listeners.add(second, at: [place(1, "a"), place(1, "c")])
  }

  private func place(_ descriptor: Int32, _ name: String) -> FolderObservers<Listener>.Place {
    .init(descriptor: descriptor, name: Array(name.utf8))
  }

  private mutating func receivers(
    _ descriptor: Int32, _ mask: some BinaryInteger, _ name: String = ""
  ) -> Set<ObjectIdentifier> {
    let event = InotifyEvent(descriptor: descriptor, mask: UInt32(mask), name: Array(name.utf8))
    return Set(listeners.receivers(of: event).map(ObjectIdentifier.init))
  }

  private func identifiers(_ listeners: Listener...) -> Set<ObjectIdentifier> {
    Set(listeners.map(ObjectIdentifier.init))
  }

  @Test("An event of a file concerns its listeners")
  mutating func anEventOfAFileConcernsIts() {
    #expect(receivers(1, IN_MODIFY, "a") == identifiers(first, second))
    #expect(receivers(1, IN_MODIFY, "c") == identifiers(second))
    #expect(receivers(2, IN_CREATE, "b") == identifiers(first))
    #expect(receivers(2, IN_MODIFY, "a").isEmpty)
    #expect(receivers(3, IN_MODIFY, "a").isEmpty)
  }

  @Test("An event of a folder concerns the listeners of all its files")
  mutating func anEventOfAFolderConcernsThe() {
    #expect(receivers(1, IN_DELETE_SELF) == identifiers(first, second))
    #expect(receivers(2, IN_MOVE_SELF) == identifiers(first))
    #expect(receivers(2, IN_UNMOUNT) == identifiers(first))
  }

  @Test("An overflow concerns all, also those whose folders are gone")
  mutating func anOverflowConcernsAllAlsoThoseWhose() {
    #expect(receivers(2, IN_IGNORED).isEmpty)
    #expect(receivers(1, IN_IGNORED).isEmpty)
    #expect(receivers(-1, IN_Q_OVERFLOW) == identifiers(first, second))
  }

  @Test("A descriptor is needed until its last listener is removed")
  mutating func aDescriptorIsNeededUntilItsLast() {
    #expect(listeners.remove(second) == [])
    #expect(listeners.remove(second) == [])
    #expect(receivers(1, IN_MODIFY, "a") == identifiers(first))
    #expect(receivers(1, IN_MODIFY, "c").isEmpty)
    #expect(listeners.needs(1))
    #expect(listeners.remove(first) == [1, 2])
    #expect(!listeners.needs(1))
    #expect(listeners.isEmpty)
  }

  @Test("A descriptor that the kernel has ended is not needed")
  mutating func aDescriptorThatTheKernelHasEnded() {
    #expect(receivers(2, IN_IGNORED).isEmpty)
    #expect(!listeners.needs(2))
    #expect(receivers(2, IN_MODIFY, "b").isEmpty)
    #expect(listeners.remove(first) == [])
    #expect(listeners.remove(second) == [1])
  }
}
