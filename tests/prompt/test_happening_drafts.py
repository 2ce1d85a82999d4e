"""Drafts of happenings: what a model names as means becomes activities, or is left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hometown.language import Lang
from hometown.prompt.happening_drafts import HAPPENING, HappeningVars
from tests.support.prompt_samples import REPLIES, SAMPLES


@pytest.mark.parametrize(
    ("lang", "means", "mended"),
    [
        ("en", ["Call the rangers", "People leave the square"], ["calling the rangers"]),
        ("en", ["Everyone should stay calm", "the rangers arrive"], ["staying calm"]),
        ("en", ["a rope", "using a rope", "Use a rope."], ["using a rope"]),
        ("zh", ["大家可以敲锣", "敲锣", "关好门窗。"], ["敲锣", "关好门窗"]),
    ],
)
def test_means_are_activities(lang: Lang, means: list[str], mended: list[str]) -> None:
    asked = SAMPLES[HAPPENING.kind]
    assert isinstance(asked, HappeningVars)
    asked = replace(asked, situation=replace(asked.situation, lang=lang))
    draft = HAPPENING.reply.model_validate(REPLIES[HAPPENING.kind] | {"means": means})
    reply, _ = HAPPENING.mended(asked, draft)
    assert reply.means[: len(mended)] == mended
    assert not {"the rangers arrive", "a rope"} & set(reply.means)
