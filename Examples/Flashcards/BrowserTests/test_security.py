"""Requests that no page of the server sends."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from checks import check, check_equal, wait_until
from client import FORM
from registry import World, test

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)


@test("A request without the page's token, or from another origin, changes nothing")
def refused(world: World) -> None:
    before = world.client.decks()
    deck, card = before[0].id, before[0].cards[0].id
    own, token = world.server.url, world.client.token
    wrong = [{}, {"X-Page-Token": ""}, {"X-Page-Token": token[:-1] + ("0" if token[-1] != "0" else "1")}]
    foreign = [{"X-Page-Token": token, "Origin": origin} for origin in ("http://example.com", "null", own + "1")]
    foreign.append({"X-Page-Token": token, "Sec-Fetch-Site": "cross-site", "Origin": "http://example.com"})
    paths = ["/decks", f"/decks/{deck}", f"/decks/{deck}/delete", "/cards", f"/cards/{card}", f"/cards/{card}/delete"]
    paths += ["/undo", "/redo", "/save", f"/import?deck={deck}"]
    body = f"name=hacked&deck={deck}&front=hacked&back=hacked&base={before[0].cards[0].front}".encode()
    for path in paths:
        for headers in wrong + foreign:
            kind = "text/csv" if path.startswith("/import") else FORM
            answer = world.client.request("POST", path, body, {"Content-Type": kind, **headers})
            check_equal(answer.status, 403, f"The answer to POST {path} with {headers}")
    check_equal(world.client.decks(), before, "The decks")


@test("A request for another host is refused")
def other_host(world: World) -> None:
    before = world.client.decks()
    port = world.server.port
    for host in ("example.com", f"example.com:{port}", f"127.0.0.1.example.com:{port}"):
        headers = {"Host": host, "X-Page-Token": world.client.token, "Content-Type": FORM}
        for method, path in (("GET", "/"), ("GET", "/events?search=&limit=100"), ("POST", "/decks")):
            answer = world.client.request(method, path, b"name=hacked" if method == "POST" else b"", headers)
            check_equal(answer.status, 421, f"The answer to {method} {path} for the host {host}")
            check("Spanish" not in answer.body, "the answer has nothing of the document")
    check_equal(world.client.get("/", {"Host": f"localhost:{port}"}).status, 200, "The answer for localhost")
    check_equal(world.client.decks(), before, "The decks")


@test("Every response has the security headers")
def headers(world: World) -> None:
    for path in ("/", "/study", "/style.css", "/app.js", "/icon.svg", "/missing"):
        answer = world.client.get(path)
        check_equal(answer.headers.get("x-content-type-options"), "nosniff", f"X-Content-Type-Options of {path}")
        check_equal(answer.headers.get("referrer-policy"), "no-referrer", f"Referrer-Policy of {path}")
        check_equal(answer.headers.get("content-security-policy"), POLICY, f"Content-Security-Policy of {path}")


@test("Requests for unknown paths, decks and cards get status 404")
def unknown(world: World) -> None:
    before = world.client.decks()
    for path in ("/missing", "/../etc/passwd", "/study?deck=999999"):
        check_equal(world.client.get(path).status, 404, f"The answer to GET {path}")
    for path in ("/cards/999999", "/cards/999999/delete", "/decks/999999", "/decks/999999/delete", "/cards/x'y"):
        answer = world.client.post(path, {"name": "n", "front": "f", "base": "b"})
        check_equal(answer.status, 404, f"The answer to POST {path}")
    check_equal(world.client.decks(), before, "The decks")


class _ForeignPage(BaseHTTPRequestHandler):
    """A page of another origin, with a form for the application."""

    target = ""

    def do_GET(self) -> None:
        field = '<input name="name" value="hacked">'
        body = f'<form id="f" method="post" action="{self.target}/decks">{field}</form>'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@test("A form on a page of another origin changes nothing", allows=("403", "favicon.ico"))
def foreign_form(world: World) -> None:
    before = world.client.decks()
    handler = type("Handler", (_ForeignPage,), {"target": world.server.url})
    # The browser opens connections that it may not use, so that one thread would wait for them.
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as other:
        other.block_on_close = False
        threading.Thread(target=other.serve_forever, daemon=True).start()
        page = world.load("/")
        page.load(f"http://127.0.0.1:{other.server_port}/")
        page.run("one('#f').submit()")
        wait_until("the application has answered", lambda: page.run("return location.port") != str(other.server_port))
        other.shutdown()
    check_equal(world.client.decks(), before, "The decks")
