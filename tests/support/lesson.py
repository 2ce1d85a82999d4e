"""A lesson of two short towns."""

from __future__ import annotations

from pathlib import Path

SHEET = """# Lesson: a drill

What is it about?

```bash
hometown run drill --world minitown --lang en --llm scripted --step 1 --residents lin_yue
hometown event drill "square/plaza: A bell rings" --at 06:10
hometown resume drill --step 1
hometown run alone --world minitown --lang en --llm scripted --step 1 --residents lin_yue
hometown replay
```

## Questions to look for

1. Who hears it?

## To think about

Why?
"""


def write_lesson(folder: Path) -> Path:
    """Write the sheet `drill` into a folder of lessons, which is returned."""
    (folder / "en").mkdir(parents=True)
    (folder / "en" / "drill.md").write_text(SHEET, encoding="utf-8")
    return folder
