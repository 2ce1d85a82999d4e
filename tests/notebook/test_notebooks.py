"""The notebooks in docs run from top to bottom, and each value that a cell shows can be shown."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hometown
from hometown.export.table_export import TABLES
from hometown.paths import ROOT
from tests.support.needs import require_packages
from tests.support.synthetic_run import make_run

NOTEBOOKS = [
    ROOT / "docs" / "notebooks" / f"{name}.ipynb"
    for name in ("first-town", "reading-a-run", "what-if")
]

SHOWN = ("_repr_png_", "_repr_mimebundle_", "_repr_html_", "__repr__")
"""Methods by which a notebook shows a value, the first of which it has."""


def test_all_notebooks_are_here() -> None:
    assert {*NOTEBOOKS} == {*(ROOT / "docs" / "notebooks").iterdir()}


def test_they_run_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_packages('pip install -e ".[notebook]"', "anywidget")
    require_packages('pip install -e ".[tables]"', "pyarrow", "pandas")
    for method in (hometown.Town.create, hometown.Town.fork, hometown.Run.open):
        monkeypatch.setitem(method.__func__.__kwdefaults__, "results", tmp_path)  # type: ignore[attr-defined]
    monkeypatch.setattr(hometown.runs, "__defaults__", (tmp_path,))
    shown = [(notebook.stem, *each) for notebook in NOTEBOOKS for each in run_cells(notebook)]
    assert ("first-town", "Player", "_repr_mimebundle_") in shown
    assert ("first-town", "Run", "_repr_png_") in shown
    assert ("reading-a-run", "VegaPlot", "_repr_mimebundle_") in shown
    assert [*run_cells(NOTEBOOKS[0])], "it runs again"


def run_cells(notebook: Path) -> Iterator[tuple[str, str]]:
    """Run the cells of a notebook, without what is for its own shell, and give the type of each
    value that it shows, and how.
    """
    names: dict[str, Any] = {}
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(line for line in cell["source"] if line[0] != "%"))
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, notebook, "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), notebook, "eval"), names)
                form = next(form for form in SHOWN if hasattr(value, form))
                assert value is not None, cell
                assert getattr(value, form)(), cell
                yield type(value).__name__, form


@pytest.fixture
def sample(tmp_path: Path) -> hometown.Run:
    make_run(tmp_path, "sample")
    return hometown.Run.open("sample", results=tmp_path)


@pytest.mark.parametrize("plot", ["network", "places", "minds", "calls"])
def test_a_plot_holds_its_data(sample: hometown.Run, plot: str) -> None:
    with sample:
        spec = sample.plot(plot)._repr_mimebundle_()["application/vnd.vegalite.v5+json"]
    parts = spec.get("layer", [spec])
    fields = {
        each["field"] for part in parts for each in part["encoding"].values() if "field" in each
    }
    assert all(part["data"]["values"] for part in parts if plot != "calls")
    assert (
        fields <= {key for part in parts for row in part["data"]["values"] for key in row}
        or plot == "calls"
    )


def test_the_player_is_in_a_cell_without_widgets_too(sample: hometown.Run) -> None:
    require_packages('pip install -e ".[notebook]"', "anywidget")
    with sample:
        player = sample.player(step=2)
    data, _ = player._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    shown = data["text/html"]
    assert player.note in shown
    assert "query" in shown
    assert "export default" not in shown
    assert shown.count("</script>") == 1, "the page cannot end the script that holds it"


def test_an_unknown_name_is_answered_with_those_known(sample: hometown.Run) -> None:
    pytest.importorskip("pyarrow", reason="tables need pyarrow")
    with sample:
        with pytest.raises(hometown.BadInput, match=r"no plot mind; .*minds"):
            sample.plot("mind")
        with pytest.raises(hometown.BadInput, match=r"no table memory; .*memories"):
            sample.table("memory")
        for table in TABLES:
            assert sample.table(table.name).schema.names == [*table.columns]
