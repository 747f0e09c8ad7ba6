import Foundation

/// The allocated memory of this process, as the allocator counts it.
package enum AllocatedMemory {
  private struct Unknown: Error, CustomStringConvertible {
    let description = "The allocator does not report the allocated memory; use glibc."
  }

  private typealias Report = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt

  /// The bytes that are allocated and not freed. Only glibc reports them.
  package static func current() throws -> Int {
    // Swift's import of glibc lacks this function.
    guard let function = dlsym(dlopen(nil, RTLD_NOW), "malloc_info") else { throw Unknown() }
    var text: UnsafeMutablePointer<CChar>?
    var length = 0
    guard let file = open_memstream(&text, &length) else { throw Unknown() }
    let result = unsafeBitCast(function, to: Report.self)(0, file)
    fclose(file)
    defer { free(text) }
    guard result == 0, let text else { throw Unknown() }
    return try allocated(String(cString: text))
  }

  /// Reads the totals of all heaps, which come last: the memory from the system without the free memory.
  private static func allocated(_ report: String) throws -> Int {
    func size(_ element: String) throws -> Int {
      guard let line = report.split(separator: "\n").last(where: { $0.hasPrefix("<\(element)") }),
        let value = line.split(separator: "size=\"").last.flatMap({ Int($0.prefix(while: \.isNumber)) })
      else { throw Unknown() }
      return value
    }
    return try size("system type=\"current\"") + size("total type=\"mmap\"") - size("total type=\"fast\"")
      - size("total type=\"rest\"")
  }
}
