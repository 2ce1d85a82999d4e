"""Imports modules of a large package without the rest of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any


def import_parts(package: str, *modules: str) -> None:
    """Import modules of a package, and of the rest only what these import themselves.

    The `__init__` of the package, and of packages between it and the modules, is run as soon as any
    other name or module of the package is used: from then on everything is as if the package had
    been imported as usual. That is also done at once where the modules can't be imported without
    it. Where the package was imported before, nothing is done.

    Args:
        package: The full name of the package.
        modules: The names of its modules, relative to it, such as `"storage.types"`.
    """
    if package in sys.modules:
        return
    names = [f"{package}.{module}" for module in modules]
    bare: dict[str, ModuleType] = {}
    try:
        for parent in dict.fromkeys(each for name in names for each in _parents(name, package)):
            bare[parent] = _add_bare_package(parent)
        for name in names:
            import_module(name)
    except Exception:  # a release of the package in which they need the rest
        for loaded in list(sys.modules):
            if f"{loaded}.".startswith(f"{package}."):
                del sys.modules[loaded]
        import_module(package)
    else:
        _Rest(package, bare).postpone()


def _parents(name: str, package: str) -> list[str]:
    """Return the packages around a module, from `package` inwards."""
    within = name.removeprefix(f"{package}.").split(".")[:-1]
    return [".".join([package, *within[:count]]) for count in range(len(within) + 1)]


def _add_bare_package(name: str) -> ModuleType:
    """Make a package importable whose own code is not run. Raises ModuleNotFoundError if there is
    none.
    """
    spec = find_spec(name)
    if spec is None:
        raise ModuleNotFoundError(f"there is no package {name}", name=name)
    sys.modules[name] = module = module_from_spec(spec)
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)
    return module


class _Rest(MetaPathFinder):
    """The rest of a package, which is imported when it is first used."""

    def __init__(self, package: str, bare: dict[str, ModuleType]) -> None:
        self._package = package
        self._bare = bare

    def postpone(self) -> None:
        """Have the rest imported on the first use of a missing name or module."""
        for name, module in self._bare.items():
            module.__dict__["__getattr__"] = self._make_getter(name)
        sys.meta_path.insert(0, self)

    def _make_getter(self, name: str) -> Any:
        def find(attribute: str) -> Any:
            self._import()
            return getattr(sys.modules[name], attribute)

        return find

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Import the rest before another module of the package is searched for; return the spec of
        that module if this has imported it, or else None.
        """
        if not name.startswith(f"{self._package}."):
            return None
        self._import()
        return ModuleSpec(name, _ExistingModule(sys.modules[name])) if name in sys.modules else None

    def _import(self) -> None:
        """Import the package as usual; modules that were imported before it stay the same."""
        with suppress(ValueError):
            sys.meta_path.remove(self)
        for name, module in self._bare.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]
        for name in self._bare:
            import_module(name)
        for name, module in list(sys.modules.items()):
            parent, _, last = name.rpartition(".")
            if parent in self._bare and not hasattr(sys.modules[parent], last):
                setattr(sys.modules[parent], last, module)


class _ExistingModule(Loader):
    """Returns a module that exists already, as it is."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._spec = module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module."""
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is, with its own spec."""
        module.__spec__ = self._spec
