"""`replay.py`: serves the playback page."""

from __future__ import annotations

import socket
from pathlib import Path

from modules.cli.command import Parser, guarded, whole
from modules.cli.text import spoken_language
from modules.errors import BadInput, reason_of
from modules.paths import RESULTS, WORLDS
from modules.text import Phrase, catalogue

DEFAULT_PORT = 5000


def main(argv: list[str]) -> int:
    """Serves until Ctrl-C. Returns the exit code: 0, or 2 for bad input."""
    return guarded(lambda: _serve(argv), spoken_language(argv))


def _serve(argv: list[str]) -> int:
    lang = spoken_language(argv)
    texts = catalogue(lang, "replay")
    parser = Parser("replay.py", texts["help_about"], lang)
    parser.add_argument("--port", type=whole(1, 65535), metavar="N", default=DEFAULT_PORT, help=texts["help_port"])
    parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help=texts["help_host"])
    parser.add_argument("--results", type=Path, metavar="FOLDER", default=RESULTS, help=texts["help_results"])
    parser.add_argument("--worlds", type=Path, metavar="FOLDER", default=WORLDS, help=texts["help_worlds"])
    said = parser.parse(argv)
    listener = _listen(said.host, said.port)

    from modules.replay.serve import serve

    address = f"http://{f'[{said.host}]' if ':' in said.host else said.host}:{said.port}/"
    print(texts["serving"].format(address=address), flush=True)
    serve(listener, said.results, said.worlds, [said.host])
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
