"""Access rules of the server: permitted host names, users, origins, and sizes of requests.

A page from another origin may make a browser send requests here, under its own host name (DNS
rebinding) or under ours (request forgery). So requests are answered only under host names that
cannot belong to others, and a change is accepted only from a page of this server. Neither the
machine nor the network that a request comes from earns trust: all users sign in
(`hometown.web.sign_in`).
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from hometown.text import N_
from hometown.web.access import Access
from hometown.web.answers import Wrong, respond_json
from hometown.web.sign_in import SAFE_METHODS, SIGN_IN, sign_in_routes

MAX_BODY_BYTES = 64 * 1024
"""Maximum size in bytes of a request's body: a resident with a detailed week in two languages takes
a third of that.
"""

LONGEST_QUERY = 4096
"""Maximum size in bytes of a query."""

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip")
"""Headers that reveal a reverse proxy."""

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # without any, browsers send the form to sign in as from nowhere
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
    "Cache-Control": "no-cache",
}
"""Response headers: nothing is loaded from other origins, and there are no inline scripts. Browsers
revalidate their cache on each request.
"""


def secure(app: Flask, access: Access, names: Iterable[str] = ()) -> None:
    """Add to the app: the checks before each request, the routes for signing in, the security
    headers, and errors as JSON for the API. `names` are further host names that the user allows,
    beside the machine's own.
    """
    own_hosts = {socket.gethostname().casefold(), *(name.casefold() for name in names)}
    if access.proxy:
        own_hosts.add((urlsplit(access.proxy).hostname or "").casefold())
    app.debug = False  # whatever FLASK_DEBUG says
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES

    @app.before_request
    def refuse_request() -> None:
        """Raise Wrong for a host name that is not ours (403), a query that is too long (414), and
        a change that no page of ours requests (403, 415).
        """
        _check_host(access, own_hosts)
        if len(request.query_string) > LONGEST_QUERY:
            raise Wrong(
                414, "The address is too long: at most {most} characters.", most=LONGEST_QUERY
            )
        if request.method not in SAFE_METHODS:
            _check_page_of_change(access)

    sign_in_routes(app, access)

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        return response

    @app.errorhandler(HTTPException)
    def describe_error(error: HTTPException) -> Response | HTTPException:
        """Return Flask's own errors as JSON for the API; for pages, unchanged."""
        if not request.path.startswith("/api/"):
            return error
        answer = respond_json({"error": f"{error.code} {error.name}"})
        answer.status_code = error.code or 500
        return answer


def _check_host(access: Access, own_hosts: set[str]) -> None:
    """Raise Wrong 403 for a request to a host name that may belong to others."""
    if not _is_own_host(request.host, own_hosts):
        raise Wrong(
            403,
            _or_proxy(
                access,
                N_(
                    "This server does not accept requests for the host “{host}”. To serve it under "
                    "another name, start it with --host."
                ),
            ),
            host=request.host[:80],
        )


def _is_own_host(host: str, own_hosts: set[str]) -> bool:
    """Return True if a Host header names a host that cannot belong to others: an IP address,
    localhost or a name below it, or one of `own_hosts`, with or without ".local". False for one
    that cannot be parsed.
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        urlsplit(f"//{host}").port  # noqa: B018  (raises for an invalid port)
    except ValueError:
        return False
    return (
        name == "localhost"
        or name.endswith(".localhost")
        or name in own_hosts
        or name.removesuffix(".local") in own_hosts
        or _is_ip_address(name)
    )


def _is_ip_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _check_page_of_change(access: Access) -> None:
    """Refuse a change that a page of another origin requests. A program, which sends neither
    Origin nor Sec-Fetch-Site, may request one.

    Raises:
        Wrong: 403 for another origin; 415 for a body that is not JSON, except for signing in.
    """
    origin = request.headers.get("Origin")
    if origin is not None and origin.lower() not in (
        request.host_url.rstrip("/").lower(),
        access.origin or None,
    ):
        raise Wrong(
            403, _or_proxy(access, N_("Changes are accepted only from this server’s own page."))
        )
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Wrong(
            403, _or_proxy(access, N_("Changes are accepted only from this server’s own page."))
        )
    if request.mimetype != "application/json" and request.path != SIGN_IN:
        raise Wrong(415, "The body of the request should be JSON.")


def _or_proxy(access: Access, text: str) -> str:
    """Return the message `text`, or, where the request came through a reverse proxy that the server
    was not told of, the message that explains `--behind-proxy`.
    """
    return (
        N_(
            "This request came through a reverse proxy. Start the server with --behind-proxy and "
            "the address that the proxy serves, such as --behind-proxy https://town.example."
        )
        if not access.proxy and any(name in request.headers for name in FORWARDED)
        else text
    )
