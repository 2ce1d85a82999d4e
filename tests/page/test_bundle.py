"""The bundler of the page's modules: what it understands, and that it refuses the rest."""

from __future__ import annotations

import re

import pytest

from hometown.errors import BadInput
from hometown.page.bundle import bundle
from hometown.paths import FRONTEND


def bundled(**modules: str) -> str:
    return bundle("main.js", lambda path: modules[path.removesuffix(".js")])


def test_modules_stand_in_the_order_of_evaluation() -> None:
    script = bundled(
        main='import "./a.js";\nimport { b as c } from "./b.js";\nc();\n',
        a='import * as b from "./b.js";\n',
        b="export function b() {}\n",
    )
    assert (
        script.index('modules["b.js"] =')
        < script.index('modules["a.js"] =')
        < script.index('modules["main.js"] =')
    )
    assert 'const { b: c } = modules["b.js"];' in script
    assert 'const b = modules["b.js"];' in script
    assert "return { b };" in script


def test_a_list_of_exports_keeps_its_names() -> None:
    assert "return { two: one, three };" in bundled(
        main='import { two } from "./a.js";\n',
        a="const one = 1;\nconst three = 3;\nexport { one as two, three };\n",
    )


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        'export * from "./a.js";',
        "export let a = 1;",
        'import a from "./a.js";',
        'import { a } from "a";',
        'const a = await import("./a.js");',
        "console.log(import.meta.url);",
        "await start();",
        "export const { a } = b;",
    ],
)
def test_what_it_does_not_know_is_refused(line: str) -> None:
    with pytest.raises(BadInput, match=r"main\.js"):
        bundled(main=f"/** A comment. */\n{line}\n", a="")


def test_a_ring_is_refused() -> None:
    with pytest.raises(BadInput, match=r"a.js → b.js → a.js"):
        bundled(main='import "./a.js";\n', a='import "./b.js";\n', b='import "./a.js";\n')


def test_types_in_comments_are_no_imports() -> None:
    assert "import(" in bundled(main='/** @typedef {import("./types.js").Run} Run */\n')


def test_folders_of_the_page_import_downwards_only() -> None:
    """Data knows nothing of the stage, the stage nothing of sounds or of the panel, the panel
    nothing of plots, plots nothing of the shows, shows nothing of what passes them on; only what is
    above them all knows them all.
    """
    layers = ["data", "stage", "sound", "panel", "plots", "show", "share", "visit", "editor", "."]
    scripts = FRONTEND / "js"
    upwards = []
    for file in scripts.rglob("*.js"):
        for source in re.findall(
            r'^(?:import|\}) .*"(\.[^"]+)";$', file.read_text(encoding="utf-8"), re.MULTILINE
        ):
            target = (file.parent / source).resolve()
            above, below = (
                layers.index(path.relative_to(scripts.resolve()).parent.as_posix())
                for path in (file.resolve(), target)
            )
            if below > above and target.name != "dom.js":
                upwards.append(
                    f"{file.relative_to(scripts)} → {target.relative_to(scripts.resolve())}"
                )
    assert upwards == []


def test_every_colour_that_a_style_or_a_script_uses_has_a_meaning() -> None:
    """Names that no style sheet and no script defines would be drawn in whatever colour is
    inherited, or was used last on a canvas.
    """
    styles = "".join(file.read_text("utf-8") for file in (FRONTEND / "css").glob("*.css"))
    scripts = "".join(file.read_text("utf-8") for file in (FRONTEND / "js").rglob("*.js"))
    defined = {
        *re.findall(r"(--[\w-]+):", styles),
        *re.findall(r"setProperty\(\"(--[\w-]+)\"", scripts),
    }
    used = {
        *re.findall(r"var\((--[\w-]+)", styles),
        *(f"--{name}" for name in re.findall(r"\bcolour\(\"([\w-]+)\"\)", scripts)),
    }
    assert used - defined == set()
