"""Addresses of model servers."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from urllib.parse import unquote, urlsplit

from hometown.settings import Machine

BASE_URL, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
"""Environment variables with the addresses of the servers and with their key."""

PORTS = {"http": 80, "https": 443}

_ENDPOINT = re.compile(
    r"\A([^?#]*?)/(?:chat/completions|completions|responses|embeddings|models)/*(?=[?#]|\Z)"
)

_USER = re.compile(r"(^|//)(?:[^/?#]*|[^/?#:\[]*:(?!\d*(?:[/?#]|\Z)).*)@", re.DOTALL)
"""User and password: what stands before the `@` of an address, or, where that can be no address,
before the last `@`, since a password may hold any character.
"""

THIS_MACHINE = ("localhost", "::1", "::", "0.0.0.0")
"""Names of this machine, beside 127.*. The last two stand for all of a server's own addresses."""

SHORTEST_SECRET = 4
"""Characters; masking anything shorter would only garble messages."""


def addresses(machine: Machine) -> list[str]:
    """Return the addresses of the OpenAI-compatible servers from the settings, or else from the
    environment.

    >>> addresses(Machine(openai_base_url="http://one:8000/v1, http://two:8000/v1"))
    ['http://one:8000/v1', 'http://two:8000/v1']
    """
    return list(map(remove_endpoint, given_addresses(machine)))


def given_addresses(machine: Machine) -> list[str]:
    """Return the addresses of the OpenAI-compatible servers as the user wrote them: those of the
    settings, else of `OPENAI_BASE_URL`; none without either.
    """
    return _split(machine.openai_base_url) or _split(os.environ.get(BASE_URL, ""))


def remove_endpoint(address: str) -> str:
    """Return an address without the endpoint at the end of its path, which users copy from examples.

    >>> remove_endpoint("http://here:8000/v1/chat/completions"), remove_endpoint("http://here:8000/v1/models?key=1")
    ('http://here:8000/v1', 'http://here:8000/v1?key=1')
    """
    return _ENDPOINT.sub(r"\1", address)


def _split(named: str) -> list[str]:
    """Return the texts between commas, without spaces around them, empty ones and repetitions."""
    return list(dict.fromkeys(filter(None, map(str.strip, named.split(",")))))


def key_for(address: str) -> str:
    """Return the key in OPENAI_API_KEY for the server at an address, "" where it must not be sent.

    Where OPENAI_BASE_URL is set, the key is for the servers named there and no other. Where it is
    not, the key is for any server: callers pass only addresses from the user's settings.
    """
    key = os.environ.get(KEY, "").strip()
    servers = _split(os.environ.get(BASE_URL, ""))
    if not servers:
        return key
    return key if origin(address) in map(origin, servers) else ""


def origin(address: str) -> tuple[str, str, int | None]:
    """Return scheme, host (in lower case) and port of an address, which together identify a server.
    The port is the scheme's usual one if the address has none, None for other schemes; an address
    that cannot be parsed is itself the host.

    >>> origin("https://api.example/v1") == origin("https://API.example:443/v2"), origin("http://api.example") == origin("https://api.example")
    (True, False)
    """
    try:
        parts = urlsplit(address)
        return parts.scheme, (parts.hostname or "").lower(), parts.port or PORTS.get(parts.scheme)
    except ValueError:
        return "", address, None


def uses_proxy(address: str) -> bool:
    """Return True if requests to an address go through the environment's proxy; requests to this
    machine do not.

    >>> uses_proxy("http://127.0.0.1:11434"), uses_proxy("0.0.0.0:11434"), uses_proxy("http://gpu.example:8000")
    (False, False, True)
    """
    name = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    return not (name in THIS_MACHINE or name.startswith("127."))


def is_http(address: str) -> bool:
    """Return True if an address names a host that can be reached by HTTP.

    >>> is_http("https://gpu.example/v1"), is_http("gpu.example:8000"), is_http("http://gpu.example:99999")
    (True, False, False)
    """
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def redacted(address: str) -> str:
    """Return an address without its user, password and parameters, fit for messages.

    >>> redacted("http://me:s#cret@10.0.0.2:11434"), redacted("https://gpu.example/v1?api_key=secret")
    ('http://10.0.0.2:11434', 'https://gpu.example/v1')
    """
    return re.sub(r"[?#].*", "", _USER.sub(r"\1", address), flags=re.DOTALL)


def secrets_of(address: str) -> list[str]:
    """Return the secrets in an address: its password, also as HTTP encodes it, and the values of
    its parameters. Values of fewer than `SHORTEST_SECRET` characters are left out.

    >>> secrets_of("https://me:secret@gpu.example/v1?api_key=sk-12&version=2")
    ['secret', 'bWU6c2VjcmV0', 'sk-12', 'sk-12']
    """
    parts = urlsplit(address)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    values = [parameter.partition("=")[2] for parameter in parts.query.split("&")]
    sent = b64encode(f"{user}:{password}".encode()).decode() if user or password else ""
    return [
        secret
        for secret in (password, sent, *values, *map(unquote, values))
        if len(secret) >= SHORTEST_SECRET
    ]
