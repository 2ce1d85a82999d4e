"""The table of servers' faults in the docs says what Hometown does."""

from __future__ import annotations

import pytest

from hometown.language import LANGS, Lang
from hometown.paths import ROOT
from tests.model.server_table import PAGES, table


@pytest.mark.parametrize("lang", LANGS)
def test_the_table_is_what_the_servers_of_the_tests_bring_about(lang: Lang) -> None:
    page = (ROOT / "docs" / PAGES[lang]).read_text("utf-8")
    assert table(lang) in page, "python -m tests.model.server_table writes it"
