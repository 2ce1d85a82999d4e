"""A server on this machine that has one file, and hands it out badly when told to."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.serving import Served


class FileServer(Served):
    """`ranges` are what it was asked for. `faults` are taken one per request:

    "cut": it breaks off halfway through what it sends; "ignores ranges"; "lies": it announces more
    than it sends; "endless"; "chunked"; "other bytes"; "other part": one that begins earlier than
    was asked; "web page": one in place of the file; "loop": it redirects to itself; a status; or an address to redirect to.
    """

    def __init__(self, data: bytes, *faults: int | str) -> None:
        self.data, self.faults = data, list(faults)
        self.ranges: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.fake = self  # type: ignore[attr-defined]
        self.address = f"http://127.0.0.1:{self._server.server_port}/file.gguf"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None: ...

    def do_GET(self) -> None:
        server: FileServer = self.server.fake  # type: ignore[attr-defined]
        asked = self.headers.get("Range", "")
        server.ranges.append(asked)
        fault = server.faults.pop(0) if server.faults else ""
        self.close_connection = True
        if isinstance(fault, int):
            self.head(fault, {"Content-Length": "0"})
        elif fault == "loop":
            server.faults.append("loop")
            self.head(302, {"Location": server.address, "Content-Length": "0"})
        elif fault.startswith("http"):
            self.head(302, {"Location": fault, "Content-Length": "0"})
        elif fault == "web page":
            self.head(200, {"Content-Type": "text/html", "Transfer-Encoding": "chunked"})
            self.chunks(b"<html>Please sign in</html>", 1)
        else:
            self.hand_out(server, asked, fault)

    def hand_out(self, server: FileServer, asked: str, fault: str) -> None:
        begin = (
            int(asked.removeprefix("bytes=").rstrip("-"))
            if asked and fault != "ignores ranges"
            else 0
        )
        begin -= 10 if begin and fault == "other part" else 0
        data, whole = server.data[begin:], len(server.data)
        if fault == "other bytes":
            data = bytes(byte ^ 1 for byte in data)
        head = {"Content-Length": f"{len(data) + (7 if fault == 'lies' else 0)}"}
        if fault in ("endless", "chunked"):
            head = {"Transfer-Encoding": "chunked"}
        if begin:
            head["Content-Range"] = f"bytes {begin}-{whole - 1}/{whole}"
        self.head(206 if begin else 200, head)
        if fault in ("endless", "chunked"):
            self.chunks(data, 3 if fault == "endless" else 1)
        else:
            self.wfile.write(data[: len(data) // 2] if fault == "cut" else data)

    def head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()

    def chunks(self, data: bytes, times: int) -> None:
        for _ in range(times):
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")
