"""Networks as GraphML: well-formed, whatever residents and stories are called."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import networkx
import pytest

from hometown.history.names import Names
from hometown.storage.run import RunFile
from hometown.study.experiment.networks import write_networks
from tests.support.synthetic_run import make_run


def test_control_characters_and_markup_in_names_leave_the_file_well_formed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(tmp_path)
    monkeypatch.setattr(Names, "person", lambda self, who: f'{who}\x01\x1b\ud800\ufffe <b a="1">&')
    with RunFile.open(tmp_path, "sample") as run:
        write_networks(run, tmp_path, 3)
    ElementTree.parse(tmp_path / "sample.graphml")
    graph = networkx.read_graphml(tmp_path / "sample.graphml")
    assert graph.nodes["ana"]["name"] == 'ana\ufffd\ufffd\ufffd\ufffd <b a="1">&'
