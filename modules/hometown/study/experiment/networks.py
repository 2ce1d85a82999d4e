"""Networks of a run as GraphML, for Gephi, Cytoscape, R and NetworkX."""

from __future__ import annotations

import re
from collections import Counter
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx

from hometown.files import atomic_write
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import authored_pairs, knowers_of_each
from hometown.storage.run import Run

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs that XML has none for."""


def write_networks(run: Run, folder: Path, last: int) -> None:
    """Writes who knew, talked with and told whom up to step `last`, as `NAME.graphml`.

    A directed multigraph of residents. An edge has a `kind`: "knew", at the start, by what the
    authors wrote; "talked", with the number of conversations in which both took part and its source
    came first as `weight`; "told", with the `story` and the `step` at which its target learnt of
    it.
    """
    reader, names = RunReader(run), Names.of(run)
    graph = networkx.MultiDiGraph()
    for who in reader.residents:
        name = _text(names.person(who))
        graph.add_node(who, name=name, label=name)
    for pair in sorted(map(sorted, authored_pairs(reader, names))):
        _link(graph, *pair, kind="knew", weight=1)
    for (one, other), count in sorted(_conversations(reader, last).items()):
        _link(graph, one, other, kind="talked", weight=count)
    stories = names.world.storylines if names.world else ()
    for story, learned in zip(stories, knowers_of_each(reader, stories, last), strict=True):
        for learning in learned:
            if learning.teller:
                _link(
                    graph,
                    learning.teller,
                    learning.memory.who,
                    kind="told",
                    weight=1,
                    story=_text(story.title),
                    step=learning.memory.step,
                )
    text = BytesIO()
    networkx.write_graphml_xml(graph, text, named_key_ids=True)
    with atomic_write(folder / f"{run.manifest.name}.graphml") as file:
        file.write(text.getvalue())


def _text(text: str) -> str:
    """A text without what XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def _link(graph: Any, source: str, target: str, **data: object) -> None:
    """An edge with an id of its own in the whole graph: Gephi takes two edges of one id for the
    same.
    """
    graph.add_edge(source, target, key=graph.number_of_edges(), **data)


def _conversations(run: RunReader, last: int) -> Counter[tuple[str, str]]:
    """How often each two have talked with each other; whoever opened comes first."""
    return Counter(
        pair for held in run.conversations(1, last) for pair in combinations(held.people, 2)
    )
