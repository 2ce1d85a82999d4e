"""Write `docs/configuration.md` from the descriptions in `hometown.settings`,
`docs/commands.md` from the command lines' own help, and the table of `docs/assistants.md` from
`tools.powers`: `python -m tools.write_docs`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby

import click

from hometown.cli import commands, compress, replay, start
from hometown.cli.command import Group
from hometown.cli.texts import Text
from hometown.config import describe_values, keys
from hometown.language import LANGS, Lang
from hometown.paths import ROOT
from hometown.presets import PRESETS
from hometown.settings import TownSettings
from tools.powers import HEAD as HEAD_OF_POWERS
from tools.powers import list_powers

HEAD = """# Settings

For users who change how a town lives or how their machine is used, and for authors of worlds and
experiments. This page is written from `modules/hometown/settings.py` by `make docs`; a test fails when the two differ.

Settings are JSON. A file holds only what it changes. Each of these overrides those before it:

1. the defaults below,
2. the world's own settings (`settings` in `data/worlds/<id>/world.json`),
3. the constants of the `preset` that you name, in either of the files that follow,
4. single keys in `data/config.json`,
5. single keys in the file given with `--config FILE`.

A preset that you name therefore holds in every world, and you can still change single constants of it. A world may name a
preset too; its own keys override that one. A fork takes the settings of its parent in place of the world's (2), and does not read
`data/config.json` except for `machine`.

A town may be a stranger's, so a world and an experiment may carry only those settings below that have a *yes* under *in a world*. All others
decide what your computer does: which servers are spoken to, which models and files are used, how much of the machine. Only you can set
them, in `data/config.json`, in a file for `--config`, or on the command line. A world that has one of them is refused with a line that says so.

A misspelt key or an invalid value is rejected with a suggestion. All settings but `machine` are stored in the run, and a resumed run
continues with the ones it began with; only `machine`, `llm.num_ctx`, `llm.keep_alive`, `llm.give_up_after` and `llm.min_tokens_per_second` are read again,
since they belong to the computer and to the model server.

```json
{"percept": {"vision_r": 6}, "chat_iter": 3}
```
"""


COMMANDS_HEAD = {
    "en": """# Commands

For users of the command line: every command with its options. This page is written from the
commands' own help by `make docs`; a test fails when the two differ. Values in parentheses are defaults.
""",
    "zh": """# 命令

供使用命令行的读者查阅：每个命令及其选项。本页由 `make docs` 根据命令自带的帮助写成，两者不一致时测试会失败。括号里是默认值。
""",
}
COLUMNS = {"en": "| option | meaning |\n|---|---|\n", "zh": "| 选项 | 含义 |\n|---|---|\n"}
PAGES = {"en": "commands.md", "zh": "commands.zh-CN.md"}


def commands_page(lang: Lang) -> str:
    """Return the reference of all commands, as Markdown."""
    text = Text(lang)
    tree = commands.build_command(text)
    scripts = {
        "start.py": start.command(text),
        "compress.py": compress.command(text),
        "replay.py": replay.command(text),
    }
    sections = [
        *_sections("hometown", tree, lang),
        *(_section(f"python {name}", script, lang) for name, script in scripts.items()),
    ]
    return "\n".join([COMMANDS_HEAD[lang], *sections])


def _sections(path: str, group: Group, lang: Lang) -> Iterator[str]:
    for name, command in group.subcommands().items():
        if isinstance(command, Group):
            yield from _sections(f"{path} {name}", command, lang)
        else:
            yield _section(f"{path} {name}", command, lang)


def _section(path: str, command: click.Command, lang: Lang) -> str:
    arguments = [
        param.make_metavar(click.Context(command))
        for param in command.params
        if isinstance(param, click.Argument)
    ]
    options = [
        param
        for param in command.params
        if isinstance(param, click.Option)
        and not param.hidden
        and not {"--help", "--version"} & set(param.opts)
    ]
    # After the mark and the heading.
    example = (command.epilog or "").partition("\n")[2].partition("\n")[2]
    lines = "".join(f"{line.strip()}\n" for line in example.splitlines())
    block = f"```text\n{lines}```\n\n" if lines else ""
    rows = "".join(
        f"| {_typed_form(option)} | {_in_cell(option.help or '')} |\n" for option in options
    )
    return f"## {' '.join([path, *arguments])}\n\n{command.help}\n\n{block}{COLUMNS[lang] + rows if rows else ''}"


def _typed_form(option: click.Option) -> str:
    return _in_cell(f"`{option.opts[0]}{'' if option.is_flag else f' {option.metavar}'}`")


def _in_cell(text: str) -> str:
    """Return a text that does not end its cell of a table."""
    return text.replace("|", "\\|")


def configuration() -> str:
    """Return the page of settings, as Markdown."""
    parts, town = [HEAD], {name for name, _ in keys(TownSettings)}
    for section, fields in groupby(keys(), key=lambda setting: setting[0].rpartition(".")[0]):
        parts.append(
            f"## {section or 'General'}\n\n| setting | default | may be | in a world | meaning |\n|---|---|---|---|---|\n"
        )
        parts[-1] += "".join(
            f"| `{name}` | `{json.dumps(field.default)}` | {describe_values(field)} | {'yes' if name in town else 'no'} | {field.description} |\n".replace(
                "`null`", ""
            )
            for name, field in fields
        )
    return "\n".join([*parts, presets()])


def presets() -> str:
    """Return a table of the constants that the presets set, with a column for each preset."""
    head = f"## Presets\n\nNothing else changes with a preset.\n\n| setting |{''.join(f' `{name}` |' for name in PRESETS)}\n|---|{'---|' * len(PRESETS)}\n"
    return head + "".join(
        f"| `{section}.{key}` |{_values(section, key)}\n"
        for section, values in next(iter(PRESETS.values())).items()
        for key in values
    )


def _values(section: str, key: str) -> str:
    return "".join(f" `{json.dumps(preset[section][key])}` |" for preset in PRESETS.values())


def assistants(page: str) -> str:
    """Return the page for assistants, which ends with the table of powers, with this table anew."""
    return page[: page.index(HEAD_OF_POWERS)] + list_powers()


if __name__ == "__main__":
    (ROOT / "docs" / "configuration.md").write_text(configuration(), "utf-8")
    for lang in LANGS:
        (ROOT / "docs" / PAGES[lang]).write_text(commands_page(lang), "utf-8")
    page = ROOT / "docs" / "assistants.md"
    page.write_text(assistants(page.read_text("utf-8")), "utf-8")
