"""Servers of tests, each in a thread of its own for as long as it is needed."""

from __future__ import annotations

from http.server import ThreadingHTTPServer
from threading import Thread
from typing import Self


class Served:
    """A server that answers while its context lasts."""

    _server: ThreadingHTTPServer

    def __enter__(self) -> Self:
        Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
