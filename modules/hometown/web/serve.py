"""The app on a socket, with limits on a client's threads, connections, time and sizes."""

from __future__ import annotations

import logging
import select
import socket
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from waitress.server import create_server

from hometown.storage.manage import delete_removed_runs
from hometown.web.access import Access
from hometown.web.first_hour_progress import FIRST_HOUR
from hometown.web.live import MOST_STREAMS
from hometown.web.security import LONGEST_QUERY, MAX_BODY_BYTES
from hometown.web.server import create_app

if TYPE_CHECKING:
    from hometown.study.desk import InterviewDesk

THREAD_COUNT = MOST_STREAMS + 8
"""Number of threads: a live stream occupies one for as long as it lasts; the others answer
requests.
"""

CONNECTIONS = 500
"""Maximum number of open connections; further ones wait until one of these is closed. Half of the
number that systems allow a process by default.
"""

TIDY_SECONDS = 5
"""Seconds between two searches for connections to close."""

IDLE_SECONDS = 30
"""Seconds without data after which a connection is closed, in the middle of a request or between
two.
"""

LONGEST_HEADERS = LONGEST_QUERY + 16 * 1024
"""Maximum size in bytes of a request's headers."""

STOPPING_SECONDS = 0.2
"""Seconds to wait for threads on Ctrl-C: those of live streams end with the process."""


def serve(
    listener: socket.socket,
    results: Path,
    worlds: Path,
    names: Iterable[str] = (),
    access: Access | None = None,
    desk: InterviewDesk | None = None,
) -> None:
    """Delete the runs that ended processes had removed, and serve until Ctrl-C, with concurrent
    requests; only errors are logged. Questions to residents are answered at the `desk`
    (`create_app`).

    Without `access`, a secret random token refuses all requests.
    """
    delete_removed_runs(results)
    logging.getLogger("waitress").setLevel(logging.ERROR)
    app = create_app(results, worlds, names, access or Access(), desk)
    server = create_server(
        app,
        sockets=[listener],
        server_name=listener.getsockname()[0],
        ident=None,
        threads=THREAD_COUNT,
        connection_limit=CONNECTIONS,
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=TIDY_SECONDS,
        max_request_header_size=LONGEST_HEADERS,
        max_request_body_size=MAX_BODY_BYTES,
        clear_untrusted_proxy_headers=False,  # they are read where the server's owner has named a proxy, and by nothing else
        asyncore_use_poll=hasattr(select, "poll"),
    )
    server.task_dispatcher.shutdown = partial(
        server.task_dispatcher.shutdown, timeout=STOPPING_SECONDS
    )
    try:
        server.run()
    finally:
        app.extensions[FIRST_HOUR].close()
        server.close()
