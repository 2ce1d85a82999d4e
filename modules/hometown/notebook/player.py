"""The page that plays a run, as a widget of a notebook. It needs no server and no network.

Beside the widget, a cell holds the same page as HTML, which exported notebooks show, and notebooks
that have no part for widgets: JupyterLab lacks it until its own page is loaded again after the
installation.
"""

from __future__ import annotations

from typing import Any

import anywidget
import orjson
import traitlets

from hometown.json_object import Json
from hometown.paths import FRONTEND

SOURCE = FRONTEND / "notebook.js"
"""The script that shows the page; its last statement exports it for widgets."""

_HTML = """<div><p>{note}</p><script>(() => {{
{script}
const holder = document.currentScript.parentElement;
const values = new Map(Object.entries({values}));
holder.replaceChildren();
render({{ model: {{ get: (key) => values.get(key), on: () => {{}} }}, el: holder }});
}})()</script></div>"""


class Player(anywidget.AnyWidget):  # type: ignore[misc]  # has no types
    """The page of a run at its present state.

    Attributes:
        page: The page as one HTML file.
        query: The parameters of its address, such as "?step=24&paused=1".
        height: Its height in pixels.
        note: The text of a cell whose scripts are not trusted.
    """

    _esm = SOURCE
    page = traitlets.Unicode().tag(sync=True)
    query = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(640).tag(sync=True)
    note = traitlets.Unicode()

    def _repr_mimebundle_(self, **options: Any) -> tuple[Json, Json]:
        """Return the widget, and the page as HTML for where there are no widgets, by media type."""
        data, metadata = super()._repr_mimebundle_(**options)
        return data | {"text/html": self._format_html()}, metadata

    def _format_html(self) -> str:
        """Return the page in a frame that a script fills, as the widget does."""
        values = {"page": self.page, "query": self.query, "height": self.height}
        return _HTML.format(
            note=self.note,
            script=SOURCE.read_text("utf-8").partition("export default")[0],
            values=orjson.dumps(values).decode().replace("<", "\\u003c"),
        )
