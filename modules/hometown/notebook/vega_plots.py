"""The plots of the page in Vega-Lite, which notebooks draw by themselves, without a network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import timedelta
from itertools import combinations

from hometown.clock import TICK_SECONDS
from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.history.insight import PLOTS, UNDERWAY
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.json_object import Json
from hometown.memory.type_names import type_names
from hometown.text import N_, translate

LABEL = {"labelAngle": 0, "labelAlign": "left"}
"""The names of the residents before their rows."""

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
"""The name of the format, from which nothing is fetched."""

LEGEND = {"orient": "bottom", "columns": 3, "labelLimit": 220}
"""The place of the words for the colours: below, since a notebook cuts what is too wide."""

OUTCOMES = {
    "ok": N_("valid at once"),
    "retried": N_("valid after retry"),
    "fallback": N_("fallback"),
}


@frozen
class VegaPlot:
    """A plot, which a notebook shows; `spec` describes it in Vega-Lite, with its data."""

    spec: Json

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Json:
        """Return the plot as notebooks draw it, by media type."""
        return {"application/vnd.vegalite.v5+json": self.spec, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<plot: {self.spec['title']}>"


def draw_plot(plot: str, run: RunReader, names: Names) -> VegaPlot:
    """Return a plot of a whole run, in the run's language: `network`, `places`, `minds` or `calls`.
    Raises BadInput for another name.
    """
    if plot not in _LAYOUTS:
        raise BadInput(
            "there is no plot {plot}; the plots are {plots}", plot=plot, plots=list(_LAYOUTS)
        )
    title, lay_out = _LAYOUTS[plot]
    layout = lay_out(_PlotData(PLOTS[plot](run, names), run, names))
    title = translate(title, run.manifest.lang)
    return VegaPlot(
        {"$schema": SCHEMA, "title": title, "width": 600, "config": {"legend": LEGEND}} | layout
    )


class _PlotData:
    """The data of one of the page's plots, with the words for it."""

    def __init__(self, data: Json, run: RunReader, names: Names) -> None:
        self.data, self.names, self.lang = data, names, run.manifest.lang
        self._start = run.manifest.start

    def say(self, message: str) -> str:
        """Return a message in the run's language."""
        return translate(message, self.lang)

    def rows(self, series: str, values: Iterable[float], **more: str) -> list[Json]:
        """Return a row for each bin of time in which a series has a value."""
        width = timedelta(seconds=self.data["width"] * TICK_SECONDS)
        return [
            {"time": (self._start + number * width).isoformat(), "series": series, "value": value}
            | more
            for number, value in enumerate(values)
            if value
        ]

    def bars(self, rows: list[Json], axis: str = "") -> Json:
        """Return the layout of stacked bars over time, a colour for each series."""
        hours = self.data["width"] * TICK_SECONDS // 3600
        return {
            "data": {"values": rows},
            "mark": {"type": "bar", "tooltip": True, "width": {"band": 1}},
            "encoding": {
                "x": {
                    "field": "time",
                    "type": "temporal",
                    "title": None,
                    "timeUnit": {"unit": "yearmonthdatehours", "step": hours},
                },
                "y": {"field": "value", "type": "quantitative", "title": axis or None},
                "color": {"field": "series", "type": "nominal", "title": None},
            },
        }


def _lay_out_places(plot: _PlotData) -> Json:
    """Return the hours by building, one row of bars for each resident."""
    buildings = {UNDERWAY: plot.say("on the way")} | plot.data["places"]
    rows = [
        row
        for who, spent in plot.data["spent"].items()
        for place, minutes in spent.items()
        for row in plot.rows(
            buildings[place],
            [round(each / 60, 2) for each in minutes],
            resident=plot.names.person(who),
        )
    ]
    layout = plot.bars(rows, plot.say("hours"))
    layout["encoding"]["color"]["scale"] = {"scheme": "tableau20"}
    layout["encoding"]["row"] = {"field": "resident", "title": None, "header": LABEL}
    return layout | {"height": 48}


def _lay_out_minds(plot: _PlotData) -> Json:
    """Return the new memories by type over time."""
    words = type_names(plot.lang)
    rows = (plot.rows(words[kind], counts) for kind, counts in plot.data["memories"].items())
    return plot.bars([row for series in rows for row in series])


def _lay_out_calls(plot: _PlotData) -> Json:
    """Return the model calls by outcome over time."""
    rows = (plot.rows(plot.say(words), plot.data[key]) for key, words in OUTCOMES.items())
    return plot.bars([row for series in rows for row in series])


def _lay_out_network(plot: _PlotData) -> Json:
    """Return residents as points, and a line for each pair who talked, the wider the more often."""
    spots = {each["id"]: (each["x"], each["y"]) for each in plot.data["residents"]}
    talks = Counter(
        pair
        for each in plot.data["conversations"]
        for pair in combinations(sorted(set(each["people"])), 2)
    )
    pairs = [
        dict(zip(("x", "y", "x2", "y2"), (*spots[one], *spots[other]), strict=True))
        | {"count": count, "pair": plot.names.people((one, other))}
        for (one, other), count in talks.items()
    ]
    people = [{"x": x, "y": y, "name": plot.names.person(who)} for who, (x, y) in spots.items()]
    scale = {"domain": [-0.1, 1.1]}
    at = {
        axis: {"field": axis, "type": "quantitative", "axis": None, "scale": scale}
        for axis in ("x", "y")
    }
    count = {"field": "count", "type": "quantitative", "title": plot.say("Conversations")}
    return {
        "height": 480,
        "layer": [
            {
                "data": {"values": pairs},
                "mark": {"type": "rule", "opacity": 0.5},
                "encoding": at
                | {"x2": {"field": "x2"}, "y2": {"field": "y2"}, "strokeWidth": count}
                | {"tooltip": [{"field": "pair", "title": " "}, count]},
            },
            {
                "data": {"values": people},
                "mark": {"type": "circle", "size": 160, "opacity": 1},
                "encoding": at,
            },
            {
                "data": {"values": people},
                "mark": {"type": "text", "dy": -14},
                "encoding": at | {"text": {"field": "name"}},
            },
        ],
    }


_LAYOUTS: dict[str, tuple[str, Callable[[_PlotData], Json]]] = {
    "network": (N_("Who has talked with whom"), _lay_out_network),
    "places": (N_("Hours by place"), _lay_out_places),
    "minds": (N_("New memories"), _lay_out_minds),
    "calls": (N_("Model calls by outcome"), _lay_out_calls),
}
