"""`replay.html`: a run and the page that plays it in one file, which opens by double-click and
needs neither server nor network.

The page is the server's own, in both languages; its modules are one script (`page/assets.py`),
allowed by its hash as the styles are. The run's blocks (`history/blocks.py`) are packed with gzip
and base64, and the page unpacks them when it needs them (`frontend/js/data/embedded.js`).
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from concurrent.futures import Future, ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import orjson
from jinja2 import Environment

from hometown.export.embedded import packs
from hometown.files import atomic_write
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import LANGS
from hometown.page.assets import charts, script, style
from hometown.page.templates import DEFAULTS, NUMBERS, render_page
from hometown.paths import FRONTEND
from hometown.storage.recordings import recording_title
from hometown.text import N_, translate

COMPRESSION_LEVEL = 6
"""Level of compression: a higher one takes twice the time for a hundredth of the size."""

POLICY = "default-src 'none'; script-src '{script}' '{charts}'; style-src '{style}'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{ policy }}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{{ name | e }}</title>
<link rel="icon" href="{{ icon }}">
<style>{{ style }}</style>
</head>
<body>
<div hidden>{{ symbols }}</div>
{% for lang, body in bodies.items() %}<template id="page-{{ lang }}" title="{{ titles[lang] | e }}" data-name="{{ name | e }}">{{ body }}</template>
{% endfor %}<script type="application/json" id="embedded">{{ head }}</script>
{% for block in blocks %}<script type="application/octet-stream" class="block">{{ block }}</script>
{% endfor %}<script>{{ script }}</script>
</body>
</html>
"""

_ICONS = "frontend/icons.svg#"
_CARRIED = {
    "emblems.png": "image/png",
    "fonts/nunito-sans.woff2": "font/woff2",
    "fonts/fraunces.woff2": "font/woff2",
}
"""Files of the page that its script or its styles name, with their media types."""

_BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)
_TITLE = re.compile(r"<title>(.*)</title>")

NEEDS_SERVER = N_("This part needs the server: python replay.py")


def write_html(run: RunReader, names: Names, path: Path) -> None:
    """Write the run in its present state as one HTML file."""
    with atomic_write(path) as file:
        file.write(render_replay(run, names, path.parent.name).encode())


def render_replay(run: RunReader, names: Names, name: str) -> str:
    """Return the page of the run in its present state, as one document; `name` is the run's."""
    base = f"api/v1/runs/{quote(name)}/"
    keys, packed = _pack_blocks(run, names, base)
    values = {"name": name, "given": DEFAULTS, "mapped": names.world is not None, "pictures": ()}
    titles = {lang: recording_title(run.run.id, lang) or name for lang in LANGS}
    pages = {
        lang: render_page("replay.html", lang, {"name": name}, title=titles[lang], **values)
        for lang in LANGS
    }
    scripts = _embed_files(_script())
    styles = _embed_files(style())
    return (
        Environment(autoescape=False)
        .from_string(_PAGE)
        .render(
            policy=POLICY.format(
                script=_hash(scripts), charts=_hash(charts().decode()), style=_hash(styles)
            ),
            name=name,
            icon=_data("image/svg+xml", "icon.svg"),
            style=styles,
            symbols=_symbols(),
            bodies={
                lang: _match(_BODY, page).replace(_ICONS, "#icon-") for lang, page in pages.items()
            },
            titles={lang: _match(_TITLE, page) for lang, page in pages.items()},
            head=_inert(_head(run, base, keys)),
            blocks=packed,
            script=scripts,
        )
    )


def _pack_blocks(run: RunReader, names: Names, base: str) -> tuple[dict[str, int], list[str]]:
    """Return the number of the pack that holds each address, and the packs. Compression runs in
    parallel with reading.
    """
    keys: dict[str, int] = {}
    packed: list[Future[str]] = []
    with ThreadPoolExecutor() as pool:
        for pack in packs(run, names, base):
            keys |= dict.fromkeys(pack, len(packed))
            packed.append(pool.submit(_compress, orjson.dumps(pack)))
        return keys, [future.result() for future in packed]


def _compress(data: bytes) -> str:
    return b64encode(gzip.compress(data, COMPRESSION_LEVEL, mtime=0)).decode()


def _head(run: RunReader, base: str, keys: dict[str, int]) -> bytes:
    """Return the data that the page needs before it unpacks others, in JSON: the address of the
    run, the numbers of the blocks, the bounds of parameters, and the note for what needs a server.
    """
    highest = {"step": run.last_step()}
    numbers = {
        key: (default, low, highest.get(key, high))
        for key, (_, default, low, high) in NUMBERS.items()
    }
    absent = {lang: translate(NEEDS_SERVER, lang) for lang in LANGS}
    return orjson.dumps({"base": base, "blocks": keys, "numbers": numbers, "absent": absent})


def _inert(value: bytes) -> str:
    """Escape JSON so that it cannot end the script element around it."""
    return value.decode().replace("<", "\\u003c")


def _script() -> str:
    text = script("standalone.js").replace(_ICONS, "#icon-")
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _embed_files(text: str) -> str:
    """Return a script or stylesheet with the files that it names embedded, as data: URIs."""
    for name, kind in _CARRIED.items():
        for address in (f"frontend/{name}", f"../{name}"):  # as scripts and styles name it
            text = text.replace(address, _data(kind, name))
    return text


def _data(kind: str, name: str) -> str:
    """Return a file of the page as a data: URI."""
    return f"data:{kind};base64," + b64encode((FRONTEND / name).read_bytes()).decode()


def _symbols() -> str:
    """Return the icons, under ids that occur nowhere else in the page."""
    return (
        (FRONTEND / "icons.svg")
        .read_text(encoding="utf-8")
        .replace('<symbol id="', '<symbol id="icon-')
    )


def _match(pattern: re.Pattern[str], page: str) -> str:
    match = pattern.search(page)
    assert match, f"the page has no {pattern.pattern}"
    return match[1]


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
