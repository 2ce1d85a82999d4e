"""The work of `hometown replay`: the server of the playback page."""

from __future__ import annotations

import logging
import os
import socket
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hometown.cli.options import Folders
from hometown.cli.signals import stoppable
from hometown.cli.texts import Text
from hometown.errors import BadInput, reason_of
from hometown.optional_parts import has_part
from hometown.text import Phrase

if TYPE_CHECKING:
    from hometown.config import Layer
    from hometown.study.desk import InterviewDesk
    from hometown.web.access import Access

PASSWORD = "HOMETOWN_PASSWORD"
"""The environment variable with the password for signing in; where it is not set, the printed
address has a token.
"""


@dataclass(frozen=True)
class Binding:
    """The address at which the page is served.

    Attributes:
        is_public: Whether all visitors may look at the runs, without signing in.
        proxy: The address of a reverse proxy that serves the page; "" for none.
    """

    host: str
    port: int
    is_public: bool
    proxy: str


def serve_page(
    binding: Binding,
    llm: str,
    folders: Folders,
    layers: Sequence[Layer],
    text: Text,
    *,
    opens_browser: bool = False,
) -> int:
    """Print the address of the page, serve it until Ctrl-C or SIGTERM and return 0.

    Args:
        binding: The address.
        llm: The model that answers questions; "" for each run's own.
        folders: The folders of runs and worlds.
        layers: The user's settings.
        text: The user's language.
        opens_browser: Whether the page is opened in the user's browser.
    """
    # The user is told once that a model is waited for, without its log.
    logging.getLogger("hometown").addHandler(logging.NullHandler())
    listener = listen(binding.host, binding.port)
    access = _access(binding)

    from hometown.web.serve import serve

    desk = interview_desk(layers, llm)
    with stoppable():
        address = _print_addresses(binding, access, text)
        if opens_browser:
            webbrowser.open(address)
        serve(listener, folders.results, folders.worlds, [binding.host], access, desk)
    return 0


def _access(binding: Binding) -> Access:
    """Return the rules for visitors, with the password of the environment."""
    from hometown.web.access import Access, kept_key

    return Access(
        password=os.environ.get(PASSWORD, ""),
        public=binding.is_public,
        key=kept_key(),
        proxy=binding.proxy,
    )


def interview_desk(layers: Sequence[Layer], llm: str) -> InterviewDesk | None:
    """Return the desk at which questions to residents are answered; None if that part is not
    installed.
    """
    if not has_part("study"):
        return None
    from hometown.config import combine
    from hometown.study.desk import InterviewDesk

    return InterviewDesk(combine(layers), llm)


def _print_addresses(binding: Binding, access: Access, text: Text) -> str:
    """Print the page's address on this machine and for other devices, and how to sign in. Return
    the former.
    """
    secret = "" if access.password else f"?token={access.token}"
    here, elsewhere = _hosts(binding.host)
    own = binding.proxy.rstrip("/") or f"http://{here}:{binding.port}"
    print(
        text(
            "Open {address} in a browser and enter the password in {variable} (Ctrl-C ends "
            "the server)"
            if access.password
            else "Open {address} in a browser (Ctrl-C ends the server)",
            address=f"{own}/{secret}",
            variable=PASSWORD,
        ),
        flush=True,
    )
    if elsewhere and not binding.proxy:
        print(
            text(
                "On other devices of this network: {address}",
                address=f"http://{elsewhere}:{binding.port}/{secret}",
            ),
            flush=True,
        )
    if access.public:
        print(text("All who can reach this server may look at all runs (--public)"), flush=True)
    return f"{own}/{secret}"


def _hosts(host: str) -> tuple[str, str]:
    """Return the host of the page's address on this machine, and its host for other devices; the
    latter is "" where the server does not listen for them or it is not known.
    """
    from hometown.web.visit_links import EVERYWHERE, find_own_address

    if host in EVERYWHERE:
        return ("127.0.0.1" if host == "0.0.0.0" else "[::1]"), find_own_address()
    return (f"[{host}]" if ":" in host else host), ""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises BadInput where the address is not available."""
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
