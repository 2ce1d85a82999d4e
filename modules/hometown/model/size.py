"""The freedom of a model from the residents' habits: as the settings say, else as a trial of the
model has found, else as models of its size allow, as far as its name says.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from hometown.model.routing import public_name
from hometown.settings import TownLlm

Freedom = Literal["plain", "habits", "free"]
"""The freedom of a model to depart from habits; `plain` is like `habits` but with short texts.
"""

PLAIN_BELOW = 1.0
"""Billions of parameters below which texts are kept short: such models were seen to write on without
end.
"""

FREE_FROM = 4.0
"""Billions of parameters of the smallest models that plan freely without a trial; smaller ones were
seen to lose themselves in plans of their own.
"""

_SIZE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)([mb])(?![a-z])", re.IGNORECASE)


def billions(name: str) -> float | None:
    """Return the billions of parameters in a model's name, or None. Of several numbers the largest
    counts.

    >>> billions("ollama:qwen3:1.7b"), billions("gguf:SmolLM2-135M-Instruct.Q4_1.gguf"), billions("ollama:qwen3:30b-a3b-4bit"), billions("scripted")
    (1.7, 0.135, 30.0, None)
    """
    sizes = [float(number) / (1000 if unit in "mM" else 1) for number, unit in _SIZE.findall(name)]
    return max(sizes, default=None)


def freedom_in(llm: TownLlm, name: str, kind: str = "") -> Freedom:
    """Return the freedom of a model in its replies to a kind of prompt; without a kind, that of
    models of its size. The texts of the scripted model need not be kept plain.

    >>> tried = TownLlm(tried={"ollama:llama3.2:3b": {"wake_up": "free"}})
    >>> freedom_in(tried, "ollama:llama3.2:3b", "wake_up"), freedom_in(tried, "ollama:llama3.2:3b", "react")
    ('free', 'habits')
    >>> freedom_in(TownLlm(freedom="free"), "ollama:llama3.2:3b"), freedom_in(TownLlm(freedom="plain"), "scripted")
    ('free', 'habits')
    """
    if llm.freedom != "auto":
        return "habits" if llm.freedom == "plain" and name == "scripted" else llm.freedom
    usual = freedom_of(name)
    found = llm.tried.get(public_name(name), {}).get(kind)
    if found == "habits" and usual == "plain":
        return "plain"
    return found or usual


@lru_cache(maxsize=64)
def freedom_of(name: str) -> Freedom:
    """Return the freedom of a model that was never tried: full, unless its name says that it is
    small.

    >>> freedom_of("gguf:smollm2-135m"), freedom_of("ollama:llama3.2:3b"), freedom_of("ollama:qwen3:8b"), freedom_of("scripted")
    ('plain', 'habits', 'free', 'free')
    """
    size = billions(name)
    if size is None or size >= FREE_FROM:
        return "free"
    return "plain" if size < PLAIN_BELOW else "habits"
