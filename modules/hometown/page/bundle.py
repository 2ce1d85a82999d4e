"""One classic script from the page's ES modules, for a page that opens from a file, where modules
don't load.

It supports the forms that our modules use: static imports of names or of a whole module by a
relative path, at the beginning of a line, and exports of functions, classes, constants and lists of
names. Any other line that begins with `import` or `export` is refused. Each module becomes a
function that returns its exports, called once and in the order of evaluation; as no exported name
is ever reassigned, copies of them are as good as live bindings.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

from hometown.errors import BadInput

IDENTIFIER = r"[A-Za-z_$][\w$]*"
_LIST = rf"\{{\s*((?:{IDENTIFIER}(?:\s+as\s+{IDENTIFIER})?\s*,?\s*)*)\}}"
_STATEMENT = re.compile(r"^(?:import|export|await)\b.*", re.MULTILINE)
_IMPORT = re.compile(
    rf'import\s+(?:(?:{_LIST}|\*\s+as\s+({IDENTIFIER}))\s+from\s+)?"(\.\.?/[^"\n]+)";\n'
)
_DECLARED = re.compile(rf"export\s+((?:async\s+)?function\s*\*?|class|const)\s+({IDENTIFIER})\b")
_LISTED = re.compile(rf"export\s+{_LIST};\n")
_COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DYNAMIC = re.compile(r"\bimport\s*[(.].*")


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """Return the module `entry` and its imports, direct and indirect, as one script.

    Args:
        read: Returns a module's text by its path.

    Raises:
        BadInput: With module and line, for a form that isn't supported, and for circular imports.
    """
    order: list[str] = []
    parts: dict[str, str] = {}
    _visit(entry, read, order, parts, ())
    return f'(() => {{\n"use strict";\nconst modules = {{}};\n{"".join(parts[path] for path in order)}}})();\n'


def _visit(
    path: str,
    read: Callable[[str], str],
    order: list[str],
    parts: dict[str, str],
    above: tuple[str, ...],
) -> None:
    """Add a module to `order` and `parts` after those that it imports; `above` are the modules that
    led to it. Raises BadInput for a circular import.
    """
    if path in above:
        raise BadInput(
            "{path}: circular import ({ring}); split one of the modules",
            path=path,
            ring=" → ".join([*above[above.index(path) :], path]),
        )
    if path in parts:
        return
    imported, part = _wrap_module(path, read(path))
    for other in imported:
        _visit(other, read, order, parts, (*above, path))
    parts[path] = part
    order.append(path)


def _wrap_module(path: str, text: str) -> tuple[list[str], str]:
    """Return the paths of a module's imports, and the module as a function. Raises BadInput for a
    statement that the bundler does not support.
    """
    imported: list[str] = []
    exported: list[str] = []
    body: list[str] = []
    done = 0
    for statement in _STATEMENT.finditer(text):
        at = statement.start()
        if at < done:
            continue
        body.append(text[done:at])
        done = at
        if match := _IMPORT.match(text, at):
            names, module, source = match.groups()
            imported.append(posixpath.normpath(posixpath.join(posixpath.dirname(path), source)))
            target = module or ("{ " + ", ".join(_pairs(names, ": ")) + " }" if names else "")
            body.append(f'const {target} = modules["{imported[-1]}"];\n' if target else "")
            done = match.end()
        elif match := _DECLARED.match(text, at):
            exported.append(match[2])
            done += len("export ")
        elif match := _LISTED.match(text, at):
            exported += [": ".join(reversed(pair.split(": "))) for pair in _pairs(match[1], ": ")]
            done = match.end()
        else:
            raise BadInput(
                "{path}:{line}: the bundler doesn't support this statement: {statement}",
                path=path,
                line=text.count(chr(10), 0, at) + 1,
                statement=statement[0][:80],
            )
    body.append(text[done:])
    if dynamic := _DYNAMIC.search(_COMMENTS.sub("", text)):
        raise BadInput(
            "{path}: only static imports can be bundled, not {dynamic}",
            path=path,
            dynamic=dynamic[0][:80],
        )
    return (
        imported,
        f'modules["{path}"] = (function () {{\n{"".join(body)}\nreturn {{ {", ".join(exported)} }};\n}})();\n',
    )


def _pairs(names: str, between: str) -> list[str]:
    """Convert `a, b as c` to ["a", "b: c"]."""
    return [
        between.join(name.split(" as "))
        for name in re.sub(r"\s+", " ", names).strip(" ,").split(", ")
        if name
    ]
