"""Signing in, as with Jupyter: the printed address contains a token, which becomes a cookie; if a
password is set, a form asks for it.

The cookie is sent by pages of this server only (SameSite=Strict) and read by no script (HttpOnly).
A browser leaves it out after a link on another site: such a page reloads itself, then as a page of
this server.
"""

from __future__ import annotations

import math
import re
from urllib.parse import quote, urlencode, urlsplit

from flask import Flask, Response, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from hometown.page.templates import render_page
from hometown.web.access import Access, is_same
from hometown.web.answers import API, Wrong, page_language
from hometown.web.attempts import Attempts

SIGN_IN = "/sign-in"
TOKEN_PARAMETER = "token"
"""The parameter of the printed address."""

VISIT_PARAMETER = "visit"
"""The parameter of an address that lets others visit one run, with `name`."""

PUBLIC_PATHS = ("/frontend/", "/charts.js", SIGN_IN)
"""Addresses, or their prefixes, that need no sign-in: the page's own files, which contain no data
of a town.
"""

GUEST = "-guest"
"""The last part of the name of the cookie of those who may visit one run."""

COOKIE_DAYS = 30
"""Days for which a browser stays signed in."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""HTTP methods that change nothing."""

_RUN = re.compile(re.escape(API) + r"/runs/([^/]+)(/(?!beside/).*)?")
"""The addresses of a run, without those that show another one beside it."""

_OWN = re.compile(r"/(?!/)[!-\[\]-~]*")
"""An address of this server: no text that browsers take for another host."""


def sign_in_routes(app: Flask, access: Access) -> None:
    """Require a sign-in before any other route is reached, and add the page for it."""
    attempts = Attempts()
    _require_sign_in(app, access, attempts)
    _add_sign_in_page(app, access, attempts)


def _require_sign_in(app: Flask, access: Access, attempts: Attempts) -> None:
    @app.before_request
    def require_sign_in() -> AnyResponse | None:
        """Return None to let a request pass, or the answer to it: with the clean address, or with
        the page to sign in. Raises Wrong (401, 429) for requests that expect JSON.
        """
        g.may_change = not access.guarded or _has_cookie(access) or _has_header(access, attempts)
        g.may_look = g.may_change or (access.public and request.method in SAFE_METHODS)
        run = _requested_run()
        if request.method == "GET" and is_same(
            request.args.get(VISIT_PARAMETER, ""), access.sign_visit(run)
        ):
            return _admit_guest(access, run)
        g.may_visit = g.may_change or is_same(
            request.cookies.get(_cookie_name(GUEST), ""), access.sign_visit(run)
        )
        if request.method == "GET" and TOKEN_PARAMETER in request.args and not access.password:
            g.may_change = g.may_change or access.is_secret(request.args[TOKEN_PARAMETER])
            if g.may_change:
                return _sign_in(access, _without_token())
        if g.may_look or request.path.startswith(PUBLIC_PATHS):
            return None
        if g.may_visit and _is_for_guests():
            return None
        return _refuse(access)


def _add_sign_in_page(app: Flask, access: Access, attempts: Attempts) -> None:
    @app.get(SIGN_IN)
    def sign_in_page() -> AnyResponse:
        return _redirect("/") if g.may_change else _page(access, "/")

    @app.post(SIGN_IN)
    def sign_in() -> AnyResponse:
        """Sign in with the form's `secret`, and redirect to its `next`; the page to sign in, with
        the reason, if the secret is wrong or there were too many attempts.
        """
        address = _own_address(request.form.get("next", ""))
        secret = _token_in(request.form.get("secret", "").strip())
        try:
            if not _is_right(access, attempts, secret):
                raise Wrong(401, "That is not right. Check it and try again.")
        except Wrong as wrong:
            return _page(access, address, wrong)
        return _sign_in(access, address)


def _refuse(access: Access) -> AnyResponse:
    """Return the page to sign in, which says if the token of the address is an old one.

    Raises:
        Wrong: 401, for a request that does not ask for a page.
    """
    if request.path.startswith("/api/") or request.method not in SAFE_METHODS:
        raise Wrong(
            401,
            "You are not signed in: open the address that the terminal printed, or enter "
            "the password.",
        )
    if request.path.count("/") > 1:  # no page's address, and the form's styles are beside pages
        return _redirect(SIGN_IN)
    is_old = TOKEN_PARAMETER in request.args and not access.password
    return _page(
        access,
        _without_token(),
        Wrong(
            401,
            "The token in this address is not valid any more: the page has been started "
            "anew. Open the address that the terminal printed last.",
        )
        if is_old
        else None,
    )


def may_change() -> bool:
    """Return True if the sender of this request has signed in."""
    return bool(g.get("may_change"))


def refuse_visitors() -> None:
    """Refuse this request unless its sender has signed in.

    Raises:
        Wrong: 401.
    """
    if not may_change():
        raise Wrong(
            401,
            "You are not signed in: open the address that the terminal printed, or enter "
            "the password.",
        )


def may_visit() -> bool:
    """Return True if the sender of this request may visit the run that it names."""
    return bool(g.get("may_visit"))


def _requested_run() -> str:
    """Return the name of the run that a request is about, also for the looks of its visitors; "" for
    none.
    """
    if request.path == "/" or request.path.startswith(f"{API}/looks"):
        return request.args.get("name", "")
    found = _RUN.fullmatch(request.path)
    return found[1] if found else ""


def _is_for_guests() -> bool:
    """Return True if a request about a run only looks at it or visits it."""
    return request.method in SAFE_METHODS or f"{request.path}/".startswith(
        f"{API}/runs/{_requested_run()}/visits/"
    )


def may_look() -> bool:
    """Return True if the sender of this request may see the runs."""
    return bool(g.get("may_look"))


def _cookie_name(part: str = "") -> str:
    """Return the name of a cookie. Browsers keep one jar for all ports of a host, so each port has
    cookies of its own.
    """
    parts = urlsplit(f"//{request.host}")
    return f"hometown-{parts.port or (443 if request.is_secure else 80)}{part}"


def _has_cookie(access: Access) -> bool:
    """Return True if the browser has sent the cookie of those who have signed in."""
    return is_same(request.cookies.get(_cookie_name(), ""), access.cookie)


def _has_header(access: Access, attempts: Attempts) -> bool:
    """Return True if a program has sent the secret: `Authorization: Bearer SECRET`.

    Raises:
        Wrong: 429, after too many wrong passwords.
    """
    kind, _, given = request.headers.get("Authorization", "").partition(" ")
    if kind.casefold() != "bearer":
        return False
    return _is_right(
        access, attempts, given.strip().encode("latin-1", "replace").decode("utf-8", "replace")
    )


def _is_right(access: Access, attempts: Attempts, given: str) -> bool:
    """Return True if a secret is the right one. Wrong passwords count as attempts, tokens do not,
    since they are too long to be guessed.

    Raises:
        Wrong: 429, after too many wrong passwords.
    """
    if not access.password:
        return access.is_secret(given)
    address = _client_address(access)
    if wait := attempts.take(address):
        raise Wrong(
            429,
            "There were too many wrong passwords. Try again in {seconds} s.",
            seconds=math.ceil(wait),
        )
    is_right = access.is_secret(given)
    if is_right:
        attempts.give_back(address)
    return is_right


def _client_address(access: Access) -> str:
    """Return the address that a request comes from, as given by the reverse proxy if the server's
    owner has named one.
    """
    forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    return forwarded if access.proxy and forwarded else request.remote_addr or ""


def _token_in(given: str) -> str:
    """Return the token, also from the whole printed address."""
    return given.rpartition(f"{TOKEN_PARAMETER}=")[2].partition("&")[0] if "://" in given else given


def _sign_in(access: Access, address: str) -> AnyResponse:
    """Return the answer that signs the browser in and redirects it to an address."""
    return _give_cookie(access, address, "", access.cookie)


def _admit_guest(access: Access, run: str) -> AnyResponse:
    """Return the answer that lets the browser visit a run, and redirects it to its page."""
    return _give_cookie(access, _without_token(), GUEST, access.sign_visit(run))


def _give_cookie(access: Access, address: str, part: str, value: str) -> AnyResponse:
    """Return the answer that gives the browser a cookie and redirects it to an address."""
    answer = _redirect(address)
    answer.set_cookie(
        _cookie_name(part),
        value,
        max_age=COOKIE_DAYS * 24 * 3600,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure or access.proxy.startswith("https:"),
    )
    return answer


def _redirect(address: str) -> AnyResponse:
    """Return the answer that redirects the browser to an address of this server, relative to that
    of the request: a reverse proxy may serve the page below a path that this server does not know.
    """
    return redirect(("../" * (request.path.count("/") - 1) or "./") + address[1:], 303)


def _page(access: Access, address: str, wrong: Wrong | None = None) -> Response:
    """Return the page for signing in, which leads to `address`; `wrong` is the error of the last
    attempt.
    """
    lang = page_language()
    said = wrong.localize(lang) if wrong else ""
    again = request.headers.get("Sec-Fetch-Site") == "cross-site" and request.method == "GET"
    parameters = dict(request.args) if request.path != SIGN_IN else {}
    parameters.pop(TOKEN_PARAMETER, None)
    root = access.proxy.rstrip("/") or request.host_url.rstrip("/")
    example = "" if access.password else f"{root}/?{TOKEN_PARAMETER}=…"
    page = render_page(
        "sign_in.html",
        lang,
        parameters,
        request.path.rpartition("/")[2] or "./",
        next=address,
        example=example,
        problem=said,
        again=again,
    )
    status = wrong.status if wrong else 200 if request.path == SIGN_IN else 401
    answer = Response(page, status, mimetype="text/html")
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def _without_token() -> str:
    """Return the path and query of this request's address without tokens."""
    secret = (TOKEN_PARAMETER, VISIT_PARAMETER)
    rest = [(key, value) for key, value in request.args.items(multi=True) if key not in secret]
    return _own_address(quote(request.path) + (f"?{urlencode(rest)}" if rest else ""))


def _own_address(given: str) -> str:
    """Return an address of this server; that of the list of runs for any other."""
    return given if _OWN.fullmatch(given) else "/"
