"""Rendering of prompts: from typed variables to the messages that a model reads.

Templates are in `data/prompts/<lang>/`: one `<kind>.md` for each prompt, `_rules.md` (how the world
works and how to answer), `_persona.md` (the resident and their current life), `_judge_rules.md` and
`_judge_persona.md` (the same for a reader who judges a resident), `_again.md` (the request after an
invalid reply), `_shared.md` and `_talk.md` (macros). They are read once and checked before a run
begins.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import Any

import jinja2
from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateError,
    TemplateSyntaxError,
    meta,
    nodes,
)
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.idtracking import VAR_LOAD_RESOLVE
from jinja2.runtime import Context

from hometown.errors import BadSettings
from hometown.language import LANGS, Lang
from hometown.paths import DATA
from hometown.prompt.catalogue import PROMPTS, check_prompt_kinds
from hometown.prompt.prompt import Known, Prompt, Situation, Variables
from hometown.prompt.wording import filters
from hometown.records import Message
from hometown.settings import Settings
from hometown.world.persona import Persona
from hometown.world.world import World

PROMPT_FOLDER = DATA / "prompts"

LONGEST_AGAIN = 2000
"""Maximum number of characters of an invalid reply that are shown to the model again; a longer one
would leave no room for the prompt.
"""

PERSONA, TURN = "\x1d", "\x1e"
"""Marks in a template: the place of the persona, and the borders of each earlier reply. Values that
fill the template cannot contain them.
"""

NO_INSTRUCTIONS: Mapping[str, str] = MappingProxyType({})
"""No instructions: the prompts as they ship."""

_COMPILER = f"1-{jinja2.__version__}-{sys.implementation.cache_tag}"
"""Versions of everything that compiles a template. The first is that of `_Generator` and `_Plain`:
raise it when these compile differently.
"""

_GAP = "\n\n\n"
"""Empty lines left by parts of a template without content; reduced to one."""

_MENTIONED = "mentioned"
"""The name under which the module of a compiled template holds the names of the variables and of
the other templates that it uses.
"""

_MISTAKES = (TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Exceptions that a template's expressions may raise."""


class Templates:
    """The templates of one language, with the names of a world.

    Args:
        lang: the language.
        name_of: returns the name of a resident by id.
        place_name: returns the name of an arena or a thing by address.
        folder: the folder with the templates of all languages.
        prompts: the prompts by kind.
        whole_personas: True if every prompt contains the whole persona.
        premise: a description of the world, if it is no small town of ordinary people.
        instructions: sentences to add to the task of prompts, by kind.

    Raises:
        BadSettings: a template is missing, does not parse, or does not use exactly the declared
            variables; or instructions are for an unknown prompt.
    """

    def __init__(
        self,
        lang: Lang,
        name_of: Callable[[str], str] = str,
        place_name: Callable[[str], str] = str,
        *,
        folder: Path = PROMPT_FOLDER,
        prompts: Mapping[str, Prompt[Any, Any]] = PROMPTS,
        whole_personas: bool = False,
        premise: str = "",
        instructions: Mapping[str, str] = NO_INSTRUCTIONS,
    ) -> None:
        self.lang = lang
        check_prompt_kinds("instructions", instructions, prompts)
        self._instructions = instructions
        self._make_environment = _make_environment(lang, folder, filters(lang, name_of, place_name))
        self._kinds = {
            kind: _load_prompt(self._make_environment, folder / lang, prompt)
            for kind, prompt in prompts.items()
        }
        names = ("_persona", "_judge_persona", "_rules", "_judge_rules", "_again")
        *personas, rules, judge_rules, self._again = (
            _get_template(self._make_environment, folder / lang, name) for name in names
        )
        self._persona = dict(zip((False, True), personas, strict=True))
        self._rules = {False: _fill(rules, {"premise": premise}), True: _fill(judge_rules, {})}
        self._personas: dict[tuple[str, Known, bool], tuple[Persona, str, str]] = {}
        self._whole_personas = whole_personas

    def render(self, prompt: Prompt[Any, Any], variables: Variables) -> tuple[Message, ...]:
        """Return the messages of a prompt, those that change least first, so that servers can reuse
        prefixes.

        The system message contains rules, task and persona; then follows the question, or in a
        conversation, alternating questions and replies.
        """
        values = {name: getattr(variables, name) for name in variables.__dataclass_fields__}
        task, _, question = ("\n" + _fill(self._kinds[prompt.kind], values)).rpartition(PERSONA)
        known: Known = (
            "all" if self._whole_personas and prompt.persona != "nobody" else prompt.persona
        )
        persona = (
            self._persona_of(variables.situation, known, prompt.judges) if known != "nobody" else ""
        )
        system = "\n\n".join(
            part
            for part in (
                self._rules[prompt.judges],
                task.strip(),
                self._instructions.get(prompt.kind, ""),
                persona,
            )
            if part
        )
        turns = [part.strip() for part in question.split(TURN)]
        return Message("system", system), *(
            Message("assistant" if number % 2 else "user", turn)
            for number, turn in enumerate(turns)
        )

    def again(self, reply: str, error: str) -> tuple[Message, ...]:
        """Return the messages to append after an invalid reply: that reply, cut, and its error."""
        return Message("assistant", reply[:LONGEST_AGAIN]), Message(
            "user", _fill(self._again, {"error": error})
        )

    def _persona_of(self, situation: Situation, known: Known, judged: bool) -> str:
        """Return the persona as text, filled anew only if the resident's persona or concerns have
        changed.
        """
        me, currently = situation.me, situation.currently
        kept = self._personas.get((me.id, known, judged))
        if kept is None or kept[0] is not me or kept[1] != currently:
            kept = (
                me,
                currently,
                _fill(self._persona[judged], {"me": me, "currently": currently, "known": known}),
            )
            self._personas[me.id, known, judged] = kept
        return kept[2]


def templates_for(world: World, name_of: Callable[[str], str], settings: Settings) -> Templates:
    """Return the templates of a run. `name_of` also knows residents who have moved in since."""
    return Templates(
        world.lang,
        name_of,
        world.place_name,
        whole_personas=not settings.thrift.short_personas,
        premise=world.premise,
        instructions=settings.instructions,
    )


def check_templates(
    folder: Path = PROMPT_FOLDER,
    prompts: Mapping[str, Prompt[Any, Any]] = PROMPTS,
    langs: Iterable[Lang] = LANGS,
) -> None:
    """Read and check the templates of several languages.

    Raises:
        BadSettings: the first fault.
    """
    for lang in langs:
        Templates(lang, folder=folder, prompts=prompts)


class _Compiled(BytecodeCache):
    """Cache of the compiled templates that ship: in memory for the runs of this process, and in the
    user's folder of temporary files for later processes. Compiling takes as long as a first step.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType] = {}

    @cached_property
    def _file_cache(self) -> BytecodeCache | None:
        """The cache of Jinja in a folder that only this user can write; None if there is none."""
        try:
            return FileSystemBytecodeCache(pattern=f"hometown-{_COMPILER}-%s.cache")
        except (OSError, RuntimeError):
            return None

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load compiled code from memory, or else from the user's folder."""
        bucket.code = self._kept.get((bucket.key, bucket.checksum))
        if not bucket.code and self._file_cache:
            with suppress(Exception):  # a damaged file is written again
                self._file_cache.load_bytecode(bucket)
            self._keep(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep compiled code in memory, and in the user's folder if it can be written."""
        self._keep(bucket)
        if self._file_cache:
            with suppress(OSError):
                self._file_cache.dump_bytecode(bucket)

    def _keep(self, bucket: Bucket) -> None:
        if bucket.code:
            self._kept[bucket.key, bucket.checksum] = bucket.code


_COMPILED = _Compiled()


class _Context(Context):
    """Context that calls macros directly: none needs the context, and the check takes as long as a
    macro.
    """

    def call(
        self,
        called: Callable[..., Any],
        /,
        *args: Any,
        _loop_vars: Any = None,
        _block_vars: Any = None,
        **kwargs: Any,
    ) -> Any:
        return called(*args, **kwargs)


class _Generator(CodeGenerator):
    """Compile a template and assign the names of the variables and the other templates that it
    uses to `_MENTIONED` in its module.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._variables: set[str] = set()

    def enter_frame(self, frame: Frame) -> None:
        super().enter_frame(frame)
        for action, name in frame.symbols.loads.values():
            if action == VAR_LOAD_RESOLVE and name not in self.environment.globals:
                self._variables.add(str(name))

    def visit_Template(  # noqa: N802
        self, node: nodes.Template, frame: Frame | None = None
    ) -> None:
        super().visit_Template(node, frame)
        others = [other or "" for other in meta.find_referenced_templates(node)]
        self.writeline(f"{_MENTIONED} = {self._variables!r}, {others!r}")


class _Plain(Environment):
    """Environment in which a dot means an attribute only: it is looked up a hundred times in a
    prompt.
    """

    context_class = _Context
    code_generator_class = _Generator
    getattr = staticmethod(getattr)  # type: ignore[assignment]

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # Each is looked at wherever a template imports another.
        self.globals = {name: self.globals[name] for name in ("namespace", "range")}


def _make_environment(
    lang: Lang, folder: Path, wordings: Mapping[str, Callable[..., str]]
) -> Environment:
    """Return the environment in which a language's templates are compiled, with the filters for
    words; the templates that ship come from the cache.
    """
    environment = _Plain(
        loader=FileSystemLoader(folder / lang),
        undefined=StrictUndefined,
        autoescape=False,  # models read plain text
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_COMPILED if folder == PROMPT_FOLDER else None,
    )
    environment.filters.update(wordings)
    return environment


def _get_template(environment: Environment, folder: Path, name: str) -> Template:
    """Return a template. Raises BadSettings if it is missing, no UTF-8 or cannot be parsed."""
    path = folder / f"{name}.md"
    if not path.is_file():
        raise BadSettings(
            "prompt template {path} is missing; restore it, or the folder data/prompts", path=path
        )
    try:
        return environment.get_template(path.name)
    except TemplateSyntaxError as error:
        raise BadSettings(
            "prompt template {path} line {line} has a syntax error: {reason}",
            path=path,
            line=error.lineno,
            reason=error.message,
        ) from error
    except UnicodeDecodeError as error:
        raise BadSettings(
            "prompt template {path} is not UTF-8: save it in that encoding", path=path
        ) from error


def _load_prompt(environment: Environment, folder: Path, prompt: Prompt[Any, Any]) -> Template:
    """Return the template of a prompt. Raises BadSettings unless it uses all declared variables
    (the situation may be left out) and no others, or if a template that it names is unusable.
    """
    template = _get_template(environment, folder, prompt.kind)
    path = folder / f"{prompt.kind}.md"
    used, others = template.root_render_func.__globals__[_MENTIONED]
    for part in others:
        _get_template(environment, folder, part.removesuffix(".md"))
    declared = _list_declared(prompt.variables)
    for name in sorted(used - set(declared)):
        raise BadSettings(
            "prompt template {path} uses {name!r}, which {variables} does not declare; it has {declared}",
            path=path,
            name=name,
            variables=prompt.variables.__name__,
            declared=declared,
        )
    for name in declared:
        if name not in used | {"situation"}:
            raise BadSettings(
                "prompt template {path} does not use {name!r}, which {variables} declares; use it or remove it there",
                path=path,
                name=name,
                variables=prompt.variables.__name__,
            )
    return template


def _fill(template: Template, values: Mapping[str, Any]) -> str:
    """Return a filled template without superfluous empty lines. Raises BadSettings for a mistake in
    one of its expressions.
    """
    try:
        text = template.render(values)
        while _GAP in text:
            text = text.replace(_GAP, "\n\n")
        return text.strip()
    except _MISTAKES as error:
        raise BadSettings(
            "prompt template {file}: {reason}", file=template.filename, reason=error
        ) from error


def _list_declared(variables: type[Variables]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(variables))
