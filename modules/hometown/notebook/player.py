"""The page that plays a run, as a widget of a notebook. It needs no server and no network."""

from __future__ import annotations

import anywidget
import traitlets

from hometown.paths import FRONTEND


class Player(anywidget.AnyWidget):  # type: ignore[misc]  # has no types
    """The page of a run at its present state.

    Attributes:
        page: The page as one HTML file.
        query: The parameters of its address, such as "?step=24&paused=1".
        height: Its height in pixels.
    """

    _esm = FRONTEND / "notebook.js"
    page = traitlets.Unicode().tag(sync=True)
    query = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(640).tag(sync=True)
