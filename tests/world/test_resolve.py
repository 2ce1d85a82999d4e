"""Names as a user writes them: one resolver for `--residents`, interventions and the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.errors import BadInput
from hometown.world.cast_choice import choose_cast
from hometown.world.load import load_world
from hometown.world.resolve import NameIndex, parse_intervention
from hometown.world.world import World


@pytest.fixture(scope="module")
def ville() -> World:
    return load_world("ville", "en")


NAMES = [
    "isabella_rodriguez",
    "Isabella Rodriguez",
    "isabella",
    "RODRIGUEZ",
    " Isabella ",
    "伊莎贝拉",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_resident_by_id_name_or_part_in_any_language(name: str, ville: World) -> None:
    assert NameIndex("tell", ville).resolve(name) == "isabella_rodriguez"
    intervention = parse_intervention("tell", f"{name}: sing", ville)
    assert (intervention.target, intervention.text) == ("isabella_rodriguez", "sing")
    assert choose_cast(ville, [name]) == ["isabella_rodriguez"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Isabela", "nobody in ville is called 'Isabela'; did you mean 'Isabella Rodriguez'?"),
        ("Moreno", "'Moreno' is ambiguous, it could be Jane Moreno, Tom Moreno: write which one"),
        ("Isa", "nobody in ville is called 'Isa'"),
        ("", "nobody in ville is called ''; there are "),
    ],
)
def test_a_name_that_is_unknown_or_has_several_meanings(
    name: str, message: str, ville: World
) -> None:
    with pytest.raises(BadInput) as refused:
        NameIndex("tell", ville).resolve(name)
    assert str(refused.value).startswith(message)
    with pytest.raises(BadInput) as refused:
        choose_cast(ville, [name, "Klaus"])
    assert str(refused.value).startswith(message)


def test_a_whole_name_goes_before_a_part_and_an_id_means_itself() -> None:
    index = NameIndex("event", load_world("minitown", "en"))
    assert (
        index.resolve("cafe")
        == index.resolve("Starlight Café")
        == index.resolve("starlight")
        == "cafe/main"
    )
    assert index.resolve("cafe/main/counter") == "cafe/main/counter"


def test_an_event_at_an_ambiguous_place_is_refused_before_anything_is_lived(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from hometown.cli.start import main

    command = "--name smoke --world minitown --lang zh --llm scripted --step 1 --results"
    event = ["--event", "芳邻花店: 冒烟", "--at", "18:00"]
    assert main([*command.split(), str(tmp_path), *event]) == 2
    said = capsys.readouterr()
    assert "芳邻花店店堂" in said.out + said.err
    assert not list(tmp_path.rglob("run.sqlite"))


def test_the_start_of_a_run_takes_part_of_a_name(tmp_path: Path) -> None:
    from hometown.cli.start import main
    from hometown.storage.run import RunFile

    new = [
        "--world",
        "minitown",
        "--llm",
        "scripted",
        "--embedding",
        "hash",
        "--step",
        "1",
        "--lang",
        "en",
    ]
    assert main(["--name", "duo", "--residents", "Yue,思远", *new, "--results", str(tmp_path)]) == 0
    with RunFile.open(tmp_path, "duo") as run:
        assert run.manifest.residents == ["chen_siyuan", "lin_yue"]
