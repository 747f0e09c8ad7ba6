import Foundation
import Hummingbird

/// Responses in JSON for the script.
enum JSONResponse {
  static func make(_ content: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    Response(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(content))))
  }
}

extension Response {
  init(page: HTML, status: HTTPResponse.Status = .ok) {
    self.init(
      status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: page.markup)))
  }
}
