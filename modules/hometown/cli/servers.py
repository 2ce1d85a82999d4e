"""Says which servers a command is about to speak to."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hometown.cli.text import Text
from hometown.model.contacts import Contact, contacts
from hometown.model.permission import names_of_run
from hometown.session import current_settings
from hometown.settings import Settings
from hometown.storage.manifest import Manifest


def contacts_of(manifest: Manifest, now: Settings, llm: str = "") -> list[Contact]:
    """Return the servers of a run that goes on, or whose residents are asked, on `llm` or its own model under the user's settings."""
    settings = current_settings(manifest.settings, now)
    return contacts(names_of_run(llm or manifest.llm, settings), manifest.embedding, settings)


def print_servers(found: Sequence[Contact], text: Text, *, aside: bool = False) -> None:
    """Print a line with all servers and what is asked there, before the first request; nothing where there are none.

    `aside`: on stderr, where stdout is for a program.
    """
    if not found:
        return
    shown = [text("server" if each.address else "server_plugin", address=each.address, models=", ".join(each.models)) for each in found]
    print(text("servers", servers="; ".join(shown)), file=sys.stderr if aside else sys.stdout, flush=True)
