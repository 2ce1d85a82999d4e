"""Access rules of the server: under which host names, from which pages, and how large a request may be.

A page from another origin may make a browser send requests here, under its own host name (DNS rebinding) or under ours (request
forgery). So requests are answered only under host names that nobody else can own, and a change is accepted only from a page of this
server, on this machine, with the token that only the pages of this start of the server contain. There are no cookies.

From another machine, and by a server that listens for others at all, a change is accepted only with the password that its user has set.
"""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import ip_address
from time import sleep
from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from hometown.web.answers import Wrong, json_answer

CHANGE, PASSWORD = "X-Hometown", "X-Hometown-Password"
"""The headers of a request for a change: the page's token, and the password from elsewhere."""

PAUSE = 1.0
"""Seconds that a wrong password costs whoever sent it, so that trying them all takes long."""

LARGEST = 64 * 1024
"""Bytes of a request's body: a resident with a detailed week in two languages takes a third of that."""

LONGEST_QUERY = 4096
"""Bytes of a query."""

CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}
"""Nothing is loaded from other origins, and there are no inline scripts. Browsers revalidate their cache on each request."""


@dataclass(frozen=True)
class Access:
    """Who may change what: `local` is whether only this machine can reach the server, `password` what changes need otherwise, "" for none."""

    local: bool = True
    password: str = ""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def runs_towns(self) -> bool:
        """Whether runs may be started and stopped."""
        return self.local or bool(self.password)


def secure(app: Flask, access: Access, names: Iterable[str] = ()) -> None:
    """Applies the rules to every route; `names` are further host names that the user allows, beside the machine's own."""
    own = {socket.gethostname().casefold(), *(name.casefold() for name in names)}
    app.debug = False  # whatever FLASK_DEBUG says
    app.config["MAX_CONTENT_LENGTH"] = LARGEST

    @app.before_request
    def check() -> None:
        if not _is_ours(request.host, own):
            raise Wrong(403, "foreign_host", host=request.host[:80])
        if len(request.query_string) > LONGEST_QUERY:
            raise Wrong(414, "too_long", most=LONGEST_QUERY)
        if request.method in CHANGING:
            _check_change(access)

    @app.after_request
    def with_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        return response

    @app.errorhandler(HTTPException)
    def plain(error: HTTPException) -> Response | HTTPException:
        """Flask's own errors, as JSON for the API."""
        if not request.path.startswith("/api/"):
            return error
        answer = json_answer({"error": f"{error.code} {error.name}"})
        answer.status_code = error.code or 500
        return answer


def _is_ours(host: str, own: set[str]) -> bool:
    """Whether a host name cannot belong to somebody else: an address, this machine's name, or one that the user allows."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        urlsplit(f"//{host}").port  # noqa: B018  (raises for an invalid port)
    except ValueError:
        return False
    return name == "localhost" or name.endswith(".localhost") or name in own or name.removesuffix(".local") in own or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _check_change(access: Access) -> None:
    """Raises Wrong (401, 403, 415) unless a page of ours asks for the change, on this machine or with the password."""
    origin = request.headers.get("Origin")
    if origin is not None and origin != request.host_url.rstrip("/"):
        raise Wrong(403, "foreign_origin")
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Wrong(403, "foreign_origin")
    if not _same(request.headers.get(CHANGE, ""), access.token):
        raise Wrong(403, "no_token")
    if not is_loopback(request.remote_addr or ""):
        _check_password(access)
    if request.mimetype != "application/json":
        raise Wrong(415, "not_json")


def _check_password(access: Access) -> None:
    """Raises Wrong (401, 403) unless changes are allowed from elsewhere and the request has the password."""
    if not access.password:
        raise Wrong(403, "not_from_here")
    given = request.headers.get(PASSWORD, "")
    if not _same(given, access.password):
        sleep(PAUSE if given else 0)
        raise Wrong(401, "wrong_password")


def _same(given: str, right: str) -> bool:
    """Compares secrets in a time that tells nothing of them."""
    return hmac.compare_digest(given.encode(), right.encode())


def is_loopback(address: str) -> bool:
    """Whether an address is one of this machine's own, which no other machine can reach."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_loopback
