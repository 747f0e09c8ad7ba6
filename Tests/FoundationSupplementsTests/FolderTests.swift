import Foundation
import FoundationSupplements
import Testing

@Suite("The user's folders by Apple's names")
struct FolderTests {
  @Test("User folders are in the home folder or where the environment says")
  func folders() {
    let home = FileManager.default.homeDirectoryForCurrentUser.path
    let folders: [(URL, FileManager.SearchPathDirectory)] = [
      (.documentsDirectory, .documentDirectory), (.applicationSupportDirectory, .applicationSupportDirectory),
      (.cachesDirectory, .cachesDirectory), (.downloadsDirectory, .downloadsDirectory),
      (.desktopDirectory, .desktopDirectory), (.picturesDirectory, .picturesDirectory),
      (.musicDirectory, .musicDirectory), (.moviesDirectory, .moviesDirectory), (.libraryDirectory, .libraryDirectory),
    ]
    for (folder, directory) in folders {
      #expect(folder.isFileURL)
      let known = FileManager.default.urls(for: directory, in: .userDomainMask).first
      #expect(known == nil ? folder.path.hasPrefix(home) : folder == known)
    }
    #expect(URL.documentsDirectory.appending(path: "trips.store").lastPathComponent == "trips.store")
  }
}
