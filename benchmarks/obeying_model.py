"""Check that prompts name what they ask for, without a language model.

The obeying model answers as the scripted one does, but only with the fields that the prompt names, as
a model does that no grammar guides. So a prompt that shows a wrong form has no usable replies.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hometown.bench.model_bench import Trial, Verdict, select_items
from hometown.language import LANGS
from hometown.model.llm import Completion, Request
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.render import PROMPT_FOLDER
from hometown.scripted.model import ScriptedModel
from hometown.shares import share_of

ITEMS = 2
"""Items of each kind of prompt and language."""

LEAST_USABLE = 0.5
"""Share of usable replies below which a prompt does not name what it asks for."""


class ObeyingModel(ScriptedModel):
    """The scripted model, without the fields that the prompt does not name."""

    name = "obeying:prompt"

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the scripted reply with the fields that stand in the prompt."""
        completion = await super().complete(request, seed=seed, priority=priority)
        asked = "\n".join((request.messages[0].content, request.messages[-1].content))
        shown = set(re.findall(r'"(\w+)"(?=[:：,，])', asked))
        reply = {name: part for name, part in json.loads(completion.text).items() if name in shown}
        return Completion(json.dumps(reply, ensure_ascii=False), 0, 0)


def list_bad_prompts(
    templates: Path = PROMPT_FOLDER, kinds: Sequence[str] = tuple(PROMPTS)
) -> Iterator[str]:
    """Yield the kinds of prompt, with language and share, whose replies by the obeying model are
    mostly unusable.

    Args:
        templates: folder of the templates.
        kinds: kinds of prompt to check.
    """
    items = select_items(ITEMS * len(kinds) * len(LANGS), kinds)
    with TemporaryDirectory() as folder:
        trial = Trial(ObeyingModel(), Path(folder), templates)
        verdicts = asyncio.run(trial.ask(items, lambda _: None))
    found: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        found[verdict.item.kind, verdict.item.lang].append(verdict)
    for (kind, lang), some in found.items():
        share = share_of(some, lambda each: each.is_unmended)
        if share.value < LEAST_USABLE:
            yield f"{kind} {lang}: {share}"
