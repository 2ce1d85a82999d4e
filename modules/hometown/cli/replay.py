"""`replay.py`: serves the playback page."""

from __future__ import annotations

import logging
import os
import socket
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from hometown.cli.command import Command, run
from hometown.cli.given import read_settings
from hometown.cli.options import Options, option, options_of
from hometown.cli.signals import stoppable
from hometown.cli.text import Text
from hometown.cli.user_language import user_language
from hometown.errors import BadInput, reason_of
from hometown.text import Phrase

if TYPE_CHECKING:
    from hometown.web.access import Access

PROGRAM = "replay.py"

PASSWORD = "HOMETOWN_PASSWORD"
"""The environment variable with the password by which everybody signs in; where it is not set, the
printed address has a token.
"""


def main(argv: list[str]) -> int:
    """Serves until Ctrl-C and returns the exit code."""
    lang = user_language(argv)
    return run(command(Text(lang)), argv, PROGRAM, lang)


def command(text: Text) -> Command:
    """The command line of `replay.py`."""
    params = [
        option(name, text)
        for name in ("port", "host", "public", "behind-proxy", "llm", "config", "results", "worlds")
    ]
    return Command(
        PROGRAM,
        text,
        params,
        lambda ctx: partial(serve, options_of(ctx, text, "start.py"), text),
        about=text("about_replay"),
    )


def serve(options: Options, text: Text) -> int:
    """Prints the address of the page and serves it until Ctrl-C or SIGTERM."""
    layers = read_settings(options)
    logging.getLogger("hometown").addHandler(
        logging.NullHandler()
    )  # what a model is waited for is told once, without its log
    listener = _listen(options.host, options.port)

    from hometown.config import combine
    from hometown.study.desk import InterviewDesk
    from hometown.web.access import Access, kept_key
    from hometown.web.serve import serve

    access = Access(
        password=os.environ.get(PASSWORD, ""),
        public=options.public,
        key=kept_key(),
        proxy=options.behind_proxy,
    )
    with stoppable():
        _print_addresses(options, access, text)
        serve(
            listener,
            options.results,
            options.worlds,
            [options.host],
            access,
            InterviewDesk(combine(layers), options.llm or ""),
        )
    return 0


def _print_addresses(options: Options, access: Access, text: Text) -> None:
    """Print where the page is, on this machine and for other devices, and how to sign in."""
    secret = "" if access.password else f"?token={access.token}"
    here, elsewhere = _hosts(options.host)
    own = options.behind_proxy.rstrip("/") or f"http://{here}:{options.port}"
    print(
        text(
            "serving_password" if access.password else "serving",
            address=f"{own}/{secret}",
            variable=PASSWORD,
        ),
        flush=True,
    )
    if elsewhere and not options.behind_proxy:
        print(
            text("serving_elsewhere", address=f"http://{elsewhere}:{options.port}/{secret}"),
            flush=True,
        )
    if access.public:
        print(text("serving_public"), flush=True)


def _hosts(host: str) -> tuple[str, str]:
    """The host of the page's address on this machine, and on other devices where the server listens
    for all of them ("" where not known).
    """
    if host in ("0.0.0.0", "::"):
        return ("127.0.0.1" if host == "0.0.0.0" else "[::1]"), _own_address()
    return (f"[{host}]" if ":" in host else host), ""


def _own_address() -> str:
    """This machine's address in its network, by which it would reach others; nothing is sent. ""
    without a network.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address that is kept for examples
        return str(probe.getsockname()[0])
    return ""


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; raises BadInput where the address can't be had."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except (OSError, UnicodeError) as error:
        # Python adds the address to the system's words; here it stands in the sentence already.
        reason = Phrase(reason_of(error).partition(" (while")[0])
        raise BadInput(
            "cannot listen on {host}:{port} ({reason}): give another --port or --host",
            host=host,
            port=port,
            reason=reason,
        ) from None
