"""Networks of a run as GraphML, for Gephi, Cytoscape, R and NetworkX."""

from __future__ import annotations

import re
from collections import Counter
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any

from hometown.files import atomic_write
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import authored_pairs, knowers_of_each
from hometown.storage.run import RunFile

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot contain."""


def write_networks(run: RunFile, folder: Path, last: int) -> None:
    """Write the network of residents up to step `last` as `NAME.graphml`.

    A directed multigraph of residents. An edge has a `kind`: "knew", for acquaintances at the
    start, as authored; "talked", with the number of their conversations as `weight`, where the
    source comes first; "told", with the `story` and the `step` at which its target learned of it.
    """
    import networkx

    reader, names = RunReader(run), Names.of(run)
    graph = networkx.MultiDiGraph()
    for who in reader.residents:
        name = _text(names.person(who))
        graph.add_node(who, name=name, label=name)
    for pair in sorted(map(sorted, authored_pairs(reader, names))):
        _link(graph, *pair, kind="knew", weight=1)
    for (one, other), count in sorted(_conversations(reader, last).items()):
        _link(graph, one, other, kind="talked", weight=count)
    stories = names.storylines
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
    """Replace the characters that XML cannot contain."""
    return _NOT_XML.sub("\ufffd", text)


def _link(graph: Any, source: str, target: str, **data: object) -> None:
    """Add an edge with an id that is unique in the graph: Gephi merges edges with the same id."""
    graph.add_edge(source, target, key=graph.number_of_edges(), **data)


def _conversations(run: RunReader, last: int) -> Counter[tuple[str, str]]:
    """Count the conversations of each pair of residents; the opener comes first."""
    return Counter(
        pair for held in run.conversations(1, last) for pair in combinations(held.people, 2)
    )
