"""Draw the sheet of the page's pixel icons, `frontend/emblems.png`: `python -m
tools.draw_emblems`. The same bytes every time.
"""

from __future__ import annotations

from hometown.authoring.art.emblems import sheet
from hometown.paths import FRONTEND

FILE = FRONTEND / "emblems.png"

if __name__ == "__main__":
    sheet().save(FILE, optimize=True)
