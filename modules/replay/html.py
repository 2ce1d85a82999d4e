"""`replay.html`: a run and the page that plays it in one file, which opens by double-click and asks nobody for anything.

The page is the server's own, in both languages; its modules are one script (`assets.py`), allowed by its hash as the styles are. The
answers of the API go into blocks of gzip and base64 that the page unpacks when it needs them (`frontend/js/embedded.js`). To carry
another answer, list its address in `modules/replay/carried.py`; what depends on what a viewer asks is worked out in `frontend/js/views.js`.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import orjson
from jinja2 import Environment
from werkzeug.test import Client

from modules.replay.assets import FRONTEND, script, style
from modules.replay.carried import answers
from modules.replay.names import Names
from modules.replay.output import whole_file
from modules.replay.reader import RunReader
from modules.replay.routes_insight import library
from modules.replay.server import NUMBERS, create_app
from modules.text import catalogue
from modules.world.world import LANGS

POLICY = "default-src 'none'; script-src '{script}' '{charts}'; style-src '{style}'; img-src data: blob:; base-uri 'none'; form-action 'none'"

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

_ICONS = "/frontend/icons.svg#"
_BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)
_TITLE = re.compile(r"<title>(.*)</title>")


def write_html(run: RunReader, names: Names, results: Path, worlds: Path, path: Path) -> None:
    """Writes the run as it stands, `results` being the folder it lies in and `worlds` that of its world."""
    client = Client(create_app(results, worlds))
    name = path.parent.name
    keys: dict[str, int] = {}
    blocks: list[str] = []
    for block in answers(run, names, client, name):
        keys |= dict.fromkeys(block, len(blocks))
        blocks.append(b64encode(gzip.compress(orjson.dumps(block), mtime=0)).decode())
    pages = {lang: _get(client, f"/?name={quote(name)}&lang={lang}") for lang in LANGS}
    scripts, styles = _script(), style()
    text = Environment(autoescape=False).from_string(_PAGE).render(
        policy=POLICY.format(script=_hash(scripts), charts=_hash(library().decode()), style=_hash(styles)),
        name=name,
        icon="data:image/svg+xml;base64," + b64encode((FRONTEND / "icon.svg").read_bytes()).decode(),
        style=styles,
        symbols=_symbols(),
        bodies={lang: _only(_BODY, page).replace(_ICONS, "#icon-") for lang, page in pages.items()},
        titles={lang: _only(_TITLE, page) for lang, page in pages.items()},
        head=_inert(_head(run, name, keys)),
        blocks=blocks,
        script=scripts,
    )  # fmt: skip
    with whole_file(path) as file:
        file.write(text.encode())


def _head(run: RunReader, name: str, keys: dict[str, int]) -> bytes:
    """What the page must know before anything is unpacked."""
    highest = {"step": run.last_step()}
    numbers = {key: (default, low, highest.get(key, high)) for key, (_, default, low, high) in NUMBERS.items()}
    absent = {lang: catalogue(lang, "replay")["needs_server"] for lang in LANGS}
    return orjson.dumps({"base": f"/api/runs/{quote(name)}/", "blocks": keys, "numbers": numbers, "absent": absent})


def _inert(value: bytes) -> str:
    """JSON that nothing in a script element can end."""
    return value.decode().replace("<", "\\u003c")


def _script() -> str:
    text = script("standalone.js").replace(_ICONS, "#icon-")
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _symbols() -> str:
    """The icons, under ids that are nobody else's in the page."""
    return (FRONTEND / "icons.svg").read_text(encoding="utf-8").replace('<symbol id="', '<symbol id="icon-')


def _get(client: Client, address: str) -> str:
    return client.get(address).get_data(as_text=True)


def _only(pattern: re.Pattern[str], page: str) -> str:
    found = pattern.search(page)
    assert found, f"the page has no {pattern.pattern}"
    return found[1]


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
