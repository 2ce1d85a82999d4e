"""How tests ask a server for changes: as its own page does."""

from __future__ import annotations

import json
from typing import Any

from flask.testing import FlaskClient

OURS = {"X-Hometown": "a token"}


def ask(client: FlaskClient, path: str, body: Any = None, method: str = "POST", headers: dict[str, str] = OURS, **more: Any) -> Any:
    return client.open(f"/api/v1/{path}", method=method, data=json.dumps(body or {}), headers=headers, content_type="application/json", **more)
