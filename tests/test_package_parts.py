"""Modules of a large package are imported without the rest, and the rest is there on its first use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from hometown.package_parts import import_parts
from tests.support.other_process import elsewhere

FILES = {
    "big/__init__.py": "from big.inner import Late\nfrom big.rest import Rest\n__all__ = ['Rest']\n",
    "big/types.py": "class Early: pass\n",
    "big/rest.py": "from big.types import Early\nclass Rest(Early): pass\n",
    "big/inner/__init__.py": "from big.inner.types import Inner\nclass Late(Inner): pass\n",
    "big/inner/types.py": "class Inner: pass\n",
    "big/inner/other.py": "from big.inner import Late\n",
}

USES = {
    "an attribute": "import big; big.Rest",
    "a name": "from big import Rest",
    "all names": "from big import *; Rest",
    "a name of an inner package": "from big.inner import Late",
    "another module": "from big.rest import Rest",
    "another module of an inner package": "import big.inner.other",
}


@pytest.fixture
def big(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package on the path; no module of it stays imported."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path / "big"
    for name in _list_modules():
        del sys.modules[name]


def _list_modules() -> list[str]:
    return sorted(name for name in sys.modules if name.split(".")[0] == "big")


@pytest.mark.usefixtures("big")
def test_only_the_parts_are_imported() -> None:
    import_parts("big", "types", "inner.types")
    assert _list_modules() == ["big", "big.inner", "big.inner.types", "big.types"]
    assert "Rest" not in vars(sys.modules["big"])
    assert sys.modules["big"].types is sys.modules["big.types"]


@pytest.mark.usefixtures("big")
@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_the_rest_is_imported_on_its_first_use_with_the_same_parts(use: str) -> None:
    import_parts("big", "types", "inner.types")
    finders = len(sys.meta_path)
    before, early, inner = (
        sys.modules["big"],
        *map(sys.modules.get, ("big.types", "big.inner.types")),
    )
    exec(use, {})
    big = import_module("big")
    assert issubclass(big.Rest, early.Early)
    assert issubclass(big.inner.Late, inner.Inner)
    assert (big.types, big.inner.types) == (early, inner)
    assert before.Rest is big.Rest
    assert sys.modules["big.rest"].__spec__.origin.endswith("rest.py")
    assert len(sys.meta_path) == finders - 1


@pytest.mark.usefixtures("big")
def test_a_module_that_does_not_exist_is_missing_as_usual() -> None:
    import_parts("big", "types")
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'big\.nothing'"):
        import_module("big.nothing")


def test_parts_that_need_the_rest_are_imported_with_it(big: Path) -> None:
    (big / "types.py").write_text("from big import ready\nclass Early: pass\n")
    (big / "__init__.py").write_text("ready = True\nfrom big.rest import Rest\n")
    import_parts("big", "types")
    assert import_module("big").Rest
    assert "__getattr__" not in vars(sys.modules["big"])


@pytest.mark.usefixtures("big")
def test_a_package_that_was_imported_stays_as_it_is() -> None:
    whole = import_module("big")
    import_parts("big", "types")
    assert import_module("big") is whole


def test_a_town_imports_only_parts_of_llama_index_and_users_get_the_whole() -> None:
    """The whole takes two seconds."""
    done = elsewhere("""
        import sys
        from hometown.memory.store import MemoryStore
        assert not {"llama_index.core.indices", "sqlalchemy", "nltk"} & set(sys.modules)
        from llama_index.core import VectorStoreIndex
        from llama_index.core.vector_stores import SimpleVectorStore
        from llama_index.core.vector_stores.types import BasePydanticVectorStore
        assert issubclass(MemoryStore, BasePydanticVectorStore)
        assert issubclass(SimpleVectorStore, BasePydanticVectorStore)
        print(VectorStoreIndex.__name__)
    """)
    assert (done.stdout, done.stderr) == ("VectorStoreIndex\n", "")
