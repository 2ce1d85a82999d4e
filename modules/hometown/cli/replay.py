"""`replay.py`: serves the playback page."""

from __future__ import annotations

import logging
import os
import socket
from functools import partial

from hometown.cli.command import Command, run
from hometown.cli.given import read_settings
from hometown.cli.options import Options, option, options_of
from hometown.cli.signals import stoppable
from hometown.cli.text import Text
from hometown.cli.user_language import user_language
from hometown.errors import BadInput, reason_of
from hometown.text import Phrase

PROGRAM = "replay.py"

PASSWORD = "HOMETOWN_PASSWORD"
"""The environment variable with the password by which other machines may change things, and by which a server that they can reach runs towns."""


def main(argv: list[str]) -> int:
    """Serves until Ctrl-C and returns the exit code."""
    lang = user_language(argv)
    return run(command(Text(lang)), argv, PROGRAM, lang)


def command(text: Text) -> Command:
    """The command line of `replay.py`."""
    params = [option(name, text) for name in ("port", "host", "llm", "config", "results", "worlds")]
    return Command(PROGRAM, text, params, lambda ctx: partial(serve, options_of(ctx, text, "start.py"), text), about=text("about_replay"))


def serve(options: Options, text: Text) -> int:
    """Prints the address of the page and serves it until Ctrl-C or SIGTERM."""
    layers = read_settings(options)
    logging.getLogger("hometown").addHandler(logging.NullHandler())  # what a model is waited for is told once, without its log
    listener = _listen(options.host, options.port)

    from hometown.config import combine
    from hometown.study.desk import InterviewDesk
    from hometown.web.security import Access, is_loopback
    from hometown.web.serve import serve

    access = Access(is_loopback(listener.getsockname()[0]), os.environ.get(PASSWORD, ""))
    address = f"http://{f'[{options.host}]' if ':' in options.host else options.host}:{options.port}/"
    with stoppable():
        print(text("serving", address=address), flush=True)
        if not access.runs_towns:
            print(text("serving_others", variable=PASSWORD), flush=True)
        serve(listener, options.results, options.worlds, [options.host], access, InterviewDesk(combine(layers), options.llm or ""))
    return 0


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; raises BadInput where the address can't be had."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except (OSError, UnicodeError) as error:
        # Python adds the address to the system's words; here it stands in the sentence already.
        reason = Phrase(reason_of(error).partition(" (while")[0])
        raise BadInput("cannot listen on {host}:{port} ({reason}): give another --port or --host", host=host, port=port, reason=reason) from None
