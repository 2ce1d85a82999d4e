"""Settings files: what is taken, what is refused, and how it is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometown.cli.start import main
from hometown.config import check_layer, combine, describe_values, keys, read_layer
from hometown.errors import BadSettings
from hometown.paths import CONFIG, ROOT
from hometown.presets import PRESETS
from hometown.settings import RunSettings, Settings
from hometown.storage.run import RunFile
from hometown.world.load import list_worlds, load_world

WORLDS = list_worlds()


def written(folder: Path, content: Any) -> Path:
    file = folder / "settings.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return file


def test_nothing_changed_gives_the_defaults() -> None:
    assert combine([]) == Settings()


def test_the_shipped_file_fits() -> None:
    combine([read_layer(CONFIG)])


def test_a_later_layer_overrides_and_keys_override_the_preset_beside_them() -> None:
    world = {"preset": "tutorial", "think": {"poignancy_max": 60}, "percept": {"vision_r": 4}}
    settings = combine([{"percept": {"vision_r": 5}}, {"percept": {"att_bandwidth": 2}}], world)
    assert (settings.percept.vision_r, settings.percept.att_bandwidth) == (5, 2)
    assert settings.think.poignancy_max == 60
    assert settings.associate.recency_decay == PRESETS["tutorial"]["associate"]["recency_decay"]


def test_the_last_preset_named_counts() -> None:
    assert combine([{"preset": "tutorial"}, {"preset": "ville"}]) == Settings()
    assert combine([{"preset": "ville"}], {"preset": "tutorial"}) == Settings()


def test_every_preset_sets_the_same_constants_and_the_first_one_the_defaults() -> None:
    assert (
        len(
            {
                frozenset((section, key) for section, keys in preset.items() for key in keys)
                for preset in PRESETS.values()
            }
        )
        == 1
    )
    assert combine([PRESETS["ville"]]) == Settings()


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_preset_that_is_named_holds_in_every_world_that_ships(world: str, preset: str) -> None:
    own = load_world(world, "en").settings
    settings = combine([{}, {"preset": preset}], own).model_dump()
    for section, values in PRESETS[preset].items():
        assert settings[section].items() >= values.items()
    assert settings["associate"]["retention"] == own["associate"]["retention"], (
        "what no preset is about stays the world's"
    )


@pytest.mark.parametrize("world", WORLDS)
def test_without_a_named_preset_the_world_decides_and_a_single_key_overrides_all(
    world: str,
) -> None:
    own = load_world(world, "en").settings
    assert combine([{}], own) == combine([own])
    assert combine([{}], own).think.poignancy_max == combine([own]).think.poignancy_max
    assert (
        combine([{"think": {"poignancy_max": 77}}, {"preset": "tutorial"}], own).think.poignancy_max
        == 77
    )


def test_a_preset_named_for_a_fork_overrides_the_settings_of_its_parent() -> None:
    parent = combine(
        [{"percept": {"vision_r": 4}}], load_world("minitown", "en").settings
    ).model_dump(mode="json", exclude={"machine"})
    assert combine([], parent).model_dump(mode="json", exclude={"machine"}) == parent
    fork = combine([{"preset": "tutorial"}], parent)
    assert (fork.think.poignancy_max, fork.percept.vision_r) == (50, 4)


def test_part_of_a_table_leaves_the_rest() -> None:
    assert combine(
        [{"chat": {"characters_per_minute": {"en": 500}}}]
    ).chat.characters_per_minute == {"en": 500, "zh": 200}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"percept": {"vison_r": 4}}, ["'percept.vison_r'", "'percept.vision_r'"]),
        ({"vision_r": 4}, ["'vision_r'", "'percept.vision_r'"]),
        ({"asociate": {"max_memory": 4}}, ["'asociate'", "'associate'"]),
        ({"percept": {"vision_r": "eight"}}, ["percept.vision_r", '"eight"', "from 1 to 64"]),
        ({"percept": {"vision_r": "8"}}, ["percept.vision_r", "whole number"]),
        ({"percept": {"vision_r": True}}, ["percept.vision_r", "true"]),
        ({"percept": {"vision_r": 65}}, ["percept.vision_r", "65", "from 1 to 64"]),
        ({"percept": 8}, ["percept", "8"]),
        ({"turn_order": "random"}, ["turn_order", '"random"', "simultaneous, sequential"]),
        ({"chat": {"characters_per_minute": {"fr": 3}}}, ["characters_per_minute"]),
        ({"associate": {"expire_days": 10**9}}, ["associate.expire_days", "from 1 to 1000000"]),
        ({"associate": {"recency_decay": 0}}, ["recency_decay", "above 0 and at most 1"]),
        ({"machine": {"ollama_hosts": "here"}}, ["machine.ollama_hosts", "a list of texts"]),
        ({"llm": {"by_kind": ["place"]}}, ["llm.by_kind", "an object of texts"]),
        ({"llm": {"keep_alive": "long"}}, ["llm.keep_alive", '"long"', 'a text like "30m"']),
        ({"quite": 1, "percept": {"vision_r": 0}}, ["quite", "percept.vision_r"]),
        ("{", ["line 1", "not JSON"]),
        ([1], ["an object"]),
    ],
)
def test_what_does_not_fit_is_named_with_what_would(
    tmp_path: Path, content: Any, said: list[str]
) -> None:
    file = written(tmp_path, content)
    with pytest.raises(BadSettings) as refused:
        read_layer(file)
    assert all(line.startswith(str(file)) for line in str(refused.value).splitlines())
    for part in said:
        assert part in str(refused.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="no such settings file"):
        read_layer(tmp_path / "none.json")


def test_every_setting_is_described() -> None:
    for name, field in keys():
        assert field.description, name
        assert field.description.endswith("."), name
        assert describe_values(field), name


def test_the_manual_is_current() -> None:
    from tools.write_docs import configuration

    assert (ROOT / "docs" / "configuration.md").read_text("utf-8") == configuration(), (
        "run: make docs"
    )


@given(
    st.fixed_dictionaries(
        {}, optional={"vision_r": st.integers(1, 64), "att_bandwidth": st.integers(1, 64)}
    )
)
def test_what_a_run_used_reads_back_the_same(percept: dict[str, int]) -> None:
    settings = combine([{"percept": percept}])
    check_layer(settings.model_dump(mode="json"), "manifest")
    assert combine([settings.model_dump(mode="json")]) == settings


def test_a_named_preset_reaches_a_run_and_its_fork(tmp_path: Path) -> None:
    def settings_of(name: str, *options: str) -> RunSettings:
        assert (
            main(
                [
                    *options,
                    "--name",
                    name,
                    "--step",
                    "1",
                    "--llm",
                    "scripted",
                    "--results",
                    str(tmp_path),
                ]
            )
            == 0
        )
        with RunFile.open(tmp_path, name) as run:
            return run.manifest.settings

    tutorial = ("--config", str(written(tmp_path, {"preset": "tutorial"})))
    begin = ("--world", "minitown", "--residents", "lin_yue")
    assert settings_of("plain", *begin).think.poignancy_max == 100
    assert settings_of("named", *begin, *tutorial).think.poignancy_max == 50
    assert settings_of("forked", "--fork", "plain@1", *tutorial).think.poignancy_max == 50
