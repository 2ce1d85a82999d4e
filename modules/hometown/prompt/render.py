"""From a typed prompt to the messages a model reads, and to the JSON schema of the reply that it
must give.

Templates lie in `data/prompts/<lang>/`: one `<kind>.md` for each prompt, `_rules.md` (how the world
works and how to answer), `_persona.md` (who is asked, and what is going on in its life),
`_judge_rules.md` and `_judge_persona.md` (the same for a reader who judges a resident), `_again.md`
(what follows an invalid reply), `_shared.md` and `_talk.md` (macros). They are read once and
checked before anything runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import (
    BytecodeCache,
    Environment,
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
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.prompt import Known, Prompt, Situation, Variables
from hometown.prompt.wording import filters
from hometown.records import Message
from hometown.settings import Settings
from hometown.world.persona import Persona
from hometown.world.world import World

PROMPT_FOLDER = DATA / "prompts"

LONGEST_AGAIN = 2000
"""Maximum number of characters of an invalid reply that are shown to the model again; an enormous
one would leave no room for the prompt.
"""

PERSONA, TURN = "\x1d", "\x1e"
"""What a template writes where the persona belongs, and before and after each earlier reply. No
text that it is filled with can hold them.
"""

_GAP = "\n\n\n"
"""What parts of a template leave that have nothing to say: no more than one line stays empty."""

_MENTIONED = "mentioned"
"""The name under which the module of a compiled template holds the names of the variables and of
the other templates that it uses.
"""

_MISTAKES = (TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a template's expressions may raise."""


class Templates:
    """The templates of one language, with the names of a world.

    `name_of` gives the name of a resident's id, `place_name` that of an arena's or a thing's
    address, as `World` has them. Raises BadSettings if a template is missing, does not parse, or
    does not use exactly the variables that its prompt declares. `whole_personas`: every prompt
    tells all of the persona. `premise` says what kind of world this is, where it is no small town
    of ordinary people.
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
    ) -> None:
        self.lang = lang
        self._environment = _environment(lang, folder, filters(lang, name_of, place_name))
        self._kinds = {
            kind: _load(self._environment, folder / lang, prompt)
            for kind, prompt in prompts.items()
        }
        names = ("_persona", "_judge_persona", "_rules", "_judge_rules", "_again")
        *personas, rules, judge_rules, self._again = (
            _get(self._environment, folder / lang, name) for name in names
        )
        self._persona = dict(zip((False, True), personas, strict=True))
        self._rules = {False: _filled(rules, {"premise": premise}), True: _filled(judge_rules, {})}
        self._personas: dict[tuple[str, Known, bool], tuple[Persona, str, str]] = {}
        self._whole_personas = whole_personas

    def render(self, prompt: Prompt[Any, Any], variables: Variables) -> tuple[Message, ...]:
        """What to send, in the order in which it changes, so that servers have read the beginning
        before.

        First the rules, what is asked and who is asked, in the system message; then the question,
        or, in a conversation, what was asked and answered in turn.
        """
        values = {name: getattr(variables, name) for name in variables.__dataclass_fields__}
        task, _, question = ("\n" + _filled(self._kinds[prompt.kind], values)).rpartition(PERSONA)
        known: Known = (
            "all" if self._whole_personas and prompt.persona != "nobody" else prompt.persona
        )
        persona = (
            self._persona_of(variables.situation, known, prompt.judges) if known != "nobody" else ""
        )
        system = "\n\n".join(
            part for part in (self._rules[prompt.judges], task.strip(), persona) if part
        )
        turns = [part.strip() for part in question.split(TURN)]
        return Message("system", system), *(
            Message("assistant" if number % 2 else "user", turn)
            for number, turn in enumerate(turns)
        )

    def again(self, reply: str, error: str) -> tuple[Message, ...]:
        """The messages to append after an invalid reply."""
        return Message("assistant", reply[:LONGEST_AGAIN]), Message(
            "user", _filled(self._again, {"error": error})
        )

    def _persona_of(self, situation: Situation, known: Known, judged: bool) -> str:
        me, currently = situation.me, situation.currently
        kept = self._personas.get((me.id, known, judged))
        if kept is None or kept[0] is not me or kept[1] != currently:
            kept = (
                me,
                currently,
                _filled(self._persona[judged], {"me": me, "currently": currently, "known": known}),
            )
            self._personas[me.id, known, judged] = kept
        return kept[2]


def templates_for(world: World, name_of: Callable[[str], str], settings: Settings) -> Templates:
    """The templates of a run in a world, as its settings have them; `name_of` also knows who has
    come to town since.
    """
    return Templates(
        world.lang,
        name_of,
        world.place_name,
        whole_personas=not settings.thrift.short_personas,
        premise=world.premise,
    )


def check_templates(
    folder: Path = PROMPT_FOLDER,
    prompts: Mapping[str, Prompt[Any, Any]] = PROMPTS,
    langs: Iterable[Lang] = LANGS,
) -> None:
    """Reads and checks the templates of these languages; raises BadSettings at the first fault."""
    for lang in langs:
        Templates(lang, folder=folder, prompts=prompts)


class _Compiled(BytecodeCache):
    """Templates that this process has compiled already: every game needs them all, which takes as
    long as its first step.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code:
            self._kept[bucket.key, bucket.checksum] = bucket.code


_COMPILED = _Compiled()


class _Context(Context):
    """What calls macros and functions as they are: none of ours asks for the context, and to look
    for that takes as long as a macro.
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

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        super().visit_Template(node, frame)
        others = [other or "" for other in meta.find_referenced_templates(node)]
        self.writeline(f"{_MENTIONED} = {self._variables!r}, {others!r}")


class _Plain(Environment):
    """Templates in which a dot stands for an attribute, and for nothing else: it is looked up a
    hundred times a prompt.
    """

    context_class = _Context
    code_generator_class = _Generator
    getattr = staticmethod(getattr)  # type: ignore[assignment]

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.globals = {
            name: self.globals[name] for name in ("namespace", "range")
        }  # each is looked at wherever a template imports another


def _environment(
    lang: Lang, folder: Path, wordings: Mapping[str, Callable[..., str]]
) -> Environment:
    environment = _Plain(
        loader=FileSystemLoader(folder / lang),
        undefined=StrictUndefined,
        autoescape=False,  # models read plain text
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_COMPILED,
    )
    environment.filters.update(wordings)
    return environment


def _get(environment: Environment, folder: Path, name: str) -> Template:
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


def _load(environment: Environment, folder: Path, prompt: Prompt[Any, Any]) -> Template:
    """The template of a prompt, which uses each variable that the prompt declares and no other."""
    template = _get(environment, folder, prompt.kind)
    path = folder / f"{prompt.kind}.md"
    used, others = template.root_render_func.__globals__[_MENTIONED]
    for part in others:
        _get(environment, folder, part.removesuffix(".md"))
    declared = _declared(prompt.variables)
    for name in sorted(used - set(declared)):
        raise BadSettings(
            "prompt template {path} uses {name!r}, which {variables} does not declare; it has {declared}",
            path=path, name=name, variables=prompt.variables.__name__, declared=declared,
        )  # fmt: skip
    for name in declared:
        if name not in used | {"situation"}:
            raise BadSettings(
                "prompt template {path} does not use {name!r}, which {variables} declares; use it or remove it there",
                path=path, name=name, variables=prompt.variables.__name__,
            )  # fmt: skip
    return template


def _filled(template: Template, values: Mapping[str, Any]) -> str:
    try:
        text = template.render(values)
        while _GAP in text:
            text = text.replace(_GAP, "\n\n")
        return text.strip()
    except _MISTAKES as error:
        raise BadSettings(
            "prompt template {file}: {reason}", file=template.filename, reason=error
        ) from error


def _declared(variables: type[Variables]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(variables))
