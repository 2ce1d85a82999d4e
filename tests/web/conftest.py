"""Fixtures of the tests of the server."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from hometown.paths import DATA
from hometown.web.access import Access
from hometown.web.server import create_app
from tests.web.asking import signed_in


@pytest.fixture
def client(results: Path) -> FlaskClient:
    """Return a browser that has signed in at a server of the test's results folder."""
    return signed_in(create_app(results, DATA / "worlds", access=Access(token="a token")))
