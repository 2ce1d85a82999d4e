"""The probabilities of a reply's tokens, and of others that might have been in their place, as
OpenAI, vLLM, llama.cpp and Ollama (0.12.11 or later) report them, in one form.

They are those of the model before a temperature, a schema or a grammar is applied. Not every server
reports them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hometown.frozen import frozen

MOST_ALTERNATIVES = 20
"""Number of alternatives asked for in each place: the most that OpenAI, vLLM and Ollama give."""


@frozen
class WeighedToken:
    """A token as bytes of UTF-8, of which it may hold a part of a character, and the natural
    logarithm of its probability.
    """

    text: bytes
    logprob: float


@frozen
class TokenPlace:
    """A place in a reply: the token that was written there, and the likeliest ones."""

    written: WeighedToken
    likeliest: tuple[WeighedToken, ...]


def read_token_places(content: Any) -> list[TokenPlace]:
    """Return the places of a reply, from the list that a server reports; an empty list for anything
    of another form, since a reply is valid without.
    """
    try:
        return [
            TokenPlace(_read(entry), tuple(_read(each) for each in entry["top_logprobs"] or ()))
            for entry in content or ()
        ]
    except (AttributeError, KeyError, TypeError, ValueError):
        return []


def _read(entry: Any) -> WeighedToken:
    """Return a token. Raises KeyError, TypeError or ValueError for another form."""
    given = entry.get("bytes")
    text = entry["token"].encode() if given is None else bytes(given)
    return WeighedToken(text, float(entry["logprob"]))


def encode_places(places: Iterable[TokenPlace]) -> list[dict[str, Any]]:
    """Return places as the package `ollama` reads them, which drops `bytes`: the bytes of a token,
    which may be a part of a character, are sent as characters of Latin-1.
    """
    return [
        _encode(place.written) | {"top_logprobs": [_encode(each) for each in place.likeliest]}
        for place in places
    ]


def _encode(token: WeighedToken) -> dict[str, Any]:
    return {"token": token.text.decode("latin-1"), "logprob": token.logprob}


def decode_places(logprobs: Iterable[Any] | None) -> list[TokenPlace]:
    """Return the places that `encode_places` has sent, from the package's objects."""
    return [
        TokenPlace(_decode(each), tuple(_decode(other) for other in each.top_logprobs or ()))
        for each in logprobs or ()
    ]


def _decode(token: Any) -> WeighedToken:
    return WeighedToken(token.token.encode("latin-1"), token.logprob)
