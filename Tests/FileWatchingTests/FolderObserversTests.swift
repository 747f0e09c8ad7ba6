import Foundation
import Testing

@testable import FileWatching

struct FolderObserversTests {
  private final class Observer {}
  private let first = Observer()
  private let second = Observer()
  private var observers = FolderObservers<Observer>()

  init() {
    observers.add(first, at: [place(1, "a"), place(2, "b"), place(1, "a")])
    observers.add(second, at: [place(1, "a"), place(1, "c")])
  }

  private func place(_ descriptor: Int32, _ name: String) -> FolderObservers<Observer>.Place {
    .init(descriptor: descriptor, name: Array(name.utf8))
  }

  private mutating func receivers(
    _ descriptor: Int32, _ mask: some BinaryInteger, _ name: String = ""
  ) -> Set<ObjectIdentifier> {
    let event = InotifyEvent(descriptor: descriptor, mask: UInt32(mask), name: Array(name.utf8))
    return Set(observers.receivers(of: event).map(ObjectIdentifier.init))
  }

  private func identifiers(_ observers: Observer...) -> Set<ObjectIdentifier> {
    Set(observers.map(ObjectIdentifier.init))
  }

  @Test("An event of a file concerns the file's observers")
  mutating func fileEvent() {
    #expect(receivers(1, IN_MODIFY, "a") == identifiers(first, second))
    #expect(receivers(1, IN_MODIFY, "c") == identifiers(second))
    #expect(receivers(2, IN_CREATE, "b") == identifiers(first))
    #expect(receivers(2, IN_MODIFY, "a").isEmpty)
    #expect(receivers(3, IN_MODIFY, "a").isEmpty)
  }

  @Test("An event of a folder concerns the observers of all its files")
  mutating func folderEvent() {
    #expect(receivers(1, IN_DELETE_SELF) == identifiers(first, second))
    #expect(receivers(2, IN_MOVE_SELF) == identifiers(first))
    #expect(receivers(2, IN_UNMOUNT) == identifiers(first))
  }

  @Test("An overflow concerns all observers, including those of removed folders")
  mutating func overflow() {
    #expect(receivers(2, IN_IGNORED).isEmpty)
    #expect(receivers(1, IN_IGNORED).isEmpty)
    #expect(receivers(-1, IN_Q_OVERFLOW) == identifiers(first, second))
  }

  @Test("A descriptor is needed until its last observer is removed")
  mutating func neededDescriptor() {
    #expect(observers.remove(second) == [])
    #expect(observers.remove(second) == [])
    #expect(receivers(1, IN_MODIFY, "a") == identifiers(first))
    #expect(receivers(1, IN_MODIFY, "c").isEmpty)
    #expect(observers.needs(1))
    #expect(observers.remove(first) == [1, 2])
    #expect(!observers.needs(1))
    #expect(observers.isEmpty)
  }

  @Test("A descriptor that the kernel has closed is not needed")
  mutating func closedDescriptor() {
    #expect(receivers(2, IN_IGNORED).isEmpty)
    #expect(!observers.needs(2))
    #expect(receivers(2, IN_MODIFY, "b").isEmpty)
    #expect(observers.remove(first) == [])
    #expect(observers.remove(second) == [1])
  }
}
