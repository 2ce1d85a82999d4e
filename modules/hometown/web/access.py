"""The rules of access to a server: the secrets of those who may change it (a token or a password,
and the key that signs their cookies), and whether visitors without them may look at it.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from hometown.files import atomic_write
from hometown.paths import user_folder

KEY_BYTES = 32
"""Size in bytes of the token and of the key that signs cookies."""

VISIT_DIGITS = 32
"""Hexadecimal digits of the token of a visit, which stands in addresses."""


@dataclass(frozen=True)
class Access:
    """The rules of access to one server.

    `password` is the password for signing in; where there is none, `token`, which the printed
    address contains. With `public`, visitors may look at everything and change nothing. `key` signs
    the cookies of those who have signed in. `proxy` is the address at which a reverse proxy serves
    the page, "" where there is none. Without `guarded`, all requests are allowed: that is for an
    app that listens on no socket.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(KEY_BYTES))
    password: str = ""
    public: bool = False
    key: bytes = field(default_factory=lambda: secrets.token_bytes(KEY_BYTES))
    proxy: str = ""
    guarded: bool = True

    @property
    def cookie(self) -> str:
        """The value of the cookie of those who have signed in. It changes with the password."""
        return self._sign("signed in")

    def sign_visit(self, run: str) -> str:
        """Return the token of the link by which others may look at a run and visit it."""
        return self._sign("visit", run)[:VISIT_DIGITS]

    def sign_visitor(self, run: str, who: str) -> str:
        """Return the pass of a visitor of a run."""
        return self._sign("visitor", run, who)

    def _sign(self, *words: str) -> str:
        """Return a secret for some words, which depends on the key and the password."""
        use, *of = words
        signed = "\0".join((use, self.password, *of))
        return hmac.new(self.key, signed.encode(), hashlib.sha256).hexdigest()

    @property
    def origin(self) -> str:
        """The origin (scheme, host and port) of the pages that the reverse proxy serves, in small
        letters; "" where there is none.
        """
        parts = urlsplit(self.proxy)
        return f"{parts.scheme}://{parts.netloc}".lower() if self.proxy else ""

    def is_secret(self, given: str) -> bool:
        """Return True if a text is the password, or the token where there is no password."""
        return is_same(given, self.password or self.token)


def is_same(given: str, right: str) -> bool:
    """Return True if two secrets are the same, compared in constant time."""
    return hmac.compare_digest(
        given.encode("utf-8", "surrogatepass"), right.encode("utf-8", "surrogatepass")
    )


def kept_key() -> bytes:
    """Return the key of this user's cookies, made at the first call, so that users stay signed in
    after a restart.

    It is stored where only the user can read it. Where that is not possible, it is valid for this
    start only.
    """
    file = user_folder() / "page.key"
    with suppress(OSError, ValueError):
        return _read_key(file)
    key = secrets.token_bytes(KEY_BYTES)
    with suppress(OSError), atomic_write(file, 0o600) as opened:
        opened.write(key)
    return key


def _read_key(file: Path) -> bytes:
    """Return the key that a file holds.

    Raises:
        ValueError: Others may read or have written the file, or it holds no key.
    """
    with file.open("rb") as opened:
        about = os.fstat(opened.fileno())
        key = opened.read(KEY_BYTES + 1)
    is_private = os.name != "posix" or (
        about.st_uid == os.geteuid() and not stat.S_IMODE(about.st_mode) & 0o077
    )
    if len(key) != KEY_BYTES or not is_private:
        raise ValueError(file)
    return key
