import Hummingbird

/// The files that are embedded in the program.
struct StaticRoutes {
  func add(to router: Router<BasicRequestContext>) {
    add(PackageResources.style_css, "style.css", "text/css; charset=utf-8", router)
    add(PackageResources.app_js, "app.js", "text/javascript; charset=utf-8", router)
    add(PackageResources.icon_svg, "icon.svg", "image/svg+xml", router)
  }

  private func add(_ bytes: [UInt8], _ path: RouterPath, _ type: String, _ router: Router<BasicRequestContext>) {
    let body = ByteBuffer(bytes: bytes)
    router.get(path) { _, _ in
      Response(
        status: .ok, headers: [.contentType: type, .cacheControl: "no-cache"], body: ResponseBody(byteBuffer: body))
    }
  }
}
