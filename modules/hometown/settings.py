"""All settings with their meaning, grouped by who may set them.

`TownSettings` are for worlds and experiments. They have no field for a server, a file, a model or a
key, so a town from a stranger cannot name one. `RunSettings` add the models of a run, by name only,
and how they are served. `Settings` add those of the machine; only the user has all of them, in
`data/config.json`, in a file given with `--config`, and on the command line.

Names follow GenerativeAgentsCN where it has them. `docs/configuration.md` is generated from the
descriptions below; a key without one fails the tests.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hometown.setting_sections import ProcessSettings, Section


class Percept(Section):
    mode: Literal["box"] = Field(
        "box", description="Shape of the field of view: a square around the resident."
    )
    vision_r: int = Field(
        8, ge=1, le=64, description="Tiles a resident sees in each direction, within its own arena."
    )
    att_bandwidth: int = Field(
        8, ge=1, le=64, description="Events a resident takes in at one step, nearest first."
    )


class ScheduleSettings(Section):
    diversity: int = Field(
        5,
        ge=1,
        le=24,
        description="Minimum number of different activities in a day plan; what a reply lacks is filled in from the habits.",
    )
    task_minutes: int = Field(
        5,
        ge=1,
        le=60,
        description="Minimum length of a sub-task in minutes; never less than the stride.",
    )


class Think(Section):
    poignancy_max: int = Field(
        150,
        ge=1,
        description="Summed poignancy of new memories at which a resident reflects (Park et al. 2023, §4.2).",
    )
    focus_recent: int = Field(
        100,
        ge=1,
        description="Number of recent memories from which the most poignant ones are taken to raise the questions of a reflection.",
    )
    questions: int = Field(3, ge=1, le=10, description="Number of questions per reflection.")
    insights: int = Field(4, ge=1, le=10, description="Maximum number of insights per question.")


class Chat(Section):
    cooldown_minutes: int = Field(
        60, ge=0, description="Game minutes before the same two residents may talk again."
    )
    seconds_per_line: int = Field(
        20, ge=1, description="Game seconds per line, added to the time it takes to speak it."
    )
    characters_per_minute: dict[Literal["en", "zh"], int] = Field(
        {"en": 600, "zh": 200},
        description="Speaking speed by language; determines how long a conversation takes.",
    )
    max_minutes: int = Field(
        30, ge=1, description="Maximum length of a conversation in game minutes."
    )
    urgent_minutes: int = Field(
        20,
        ge=0,
        description="A resident starts no conversation without a reason of their own in this many minutes before an appointment.",
    )


class Faculties(Section):
    """Abilities of residents that experiments can remove (as in the ablations of Park et al. 2023,
    §6.1, which removed them from interviews only).
    """

    reflect: bool = Field(
        True, description="Residents reflect; false: they draw no insights from what they remember."
    )
    plan: bool = Field(
        True,
        description="The model plans the days; false: every day is the usual one, as the habits have it.",
    )
    remember: bool = Field(
        True,
        description="Residents are reminded of what they remember; false: nothing ever comes to their mind.",
    )
    consolidate: bool = Field(
        False,
        description="On waking, residents retire memories that repeat others or are trivial, and keep weighty ones for good; retired ones come to mind"
        " where no live one is relevant.",
    )
    autopilot: Literal["full", "reflexes", "none"] = Field(
        "reflexes",
        description="In a world with a society, what the rules do for residents without their words: full, they find the means for needs and duties; reflexes,"
        " hungry residents eat what is at hand and tired ones sleep, and all else is done as the model words it, or refused; none, not even that.",
    )
    feel: bool = Field(
        False,
        description="Residents have feelings and moods, stirred by rule by what happens to them; true changes what they say, remember and do.",
    )


class Thrift(Section):
    """Measures that save model calls or tokens; each can be turned off."""

    sights_by_rule: bool = Field(
        True,
        description="Rate one's own routine and what others are seen doing by rule; false: by the model.",
    )
    places_with_tasks: bool = Field(
        True,
        description="Choose the places of an activity's tasks with the tasks, in one call; false: in one call a task.",
    )
    rated_at_once: bool = Field(
        True,
        description="Take the ratings of news, conversations and thoughts from the call that brings them; false: ask for them in a call of its own.",
    )
    relations_afterwards: bool = Field(
        True,
        description="Sum up how two residents stand only when a conversation is over, with its summary; false: also before it begins, in a call of its own.",
    )
    short_personas: bool = Field(
        True,
        description="Tell a resident as much of itself as the kind of question needs; false: everything, each time.",
    )
    reacts_with_reason: bool = Field(
        True,
        description="Ask whether a resident talks to somebody only if it feels like it, by bond, novelty and mood; false: whenever somebody is there.",
    )
    insights_together: bool = Field(
        True,
        description="Answer the questions of a reflection in one call, and think over conversations while they are put; false: in a call each.",
    )
    routines_reused: bool = Field(
        False,
        description="Do what the day's plan says as on an earlier day, at about the same time for about as long, if the places are still there;"
        " false: think it out anew.",
    )


class RetrievalSettings(Section):
    retention: int = Field(
        8,
        ge=0,
        description="Number of latest events that are not perceived again when they are still in sight.",
    )
    max_memory: int = Field(
        -1,
        ge=-1,
        description="Maximum number of live memories per resident; beyond it, the least valuable retire. -1: no limit.",
    )
    expire_days: int = Field(
        30, ge=1, le=1_000_000, description="Game days after which a memory retires."
    )
    retrieve_max: int = Field(
        10, ge=1, le=100, description="Number of memories that a retrieval returns."
    )
    recency_decay: float = Field(0.995, gt=0, le=1, description="Base of the recency term.")
    recency_basis: Literal["rank", "access", "creation"] = Field(
        "rank",
        description="Exponent of the decay: rank by last access, hours since last access, or hours since creation.",
    )
    recency_weight: float = Field(
        0.5, ge=0, description="Weight of recency in the retrieval score."
    )
    importance_weight: float = Field(
        2.0, ge=0, description="Weight of importance (poignancy) in the retrieval score."
    )
    relevance_weight: float = Field(
        3.0, ge=0, description="Weight of relevance (cosine similarity) in the retrieval score."
    )
    normalise: Literal["minmax", "none"] = Field(
        "minmax",
        description="minmax: each term scaled to 0–1 over the live memories; none: raw recency, poignancy ÷ 10, raw cosine.",
    )


class TownLlm(Section):
    """The use of a language model, independent of the model."""

    freedom: Literal["auto", "plain", "habits", "free"] = Field(
        "auto",
        description="How far residents may depart from their habits. habits: a day is the usual one with a few changes, in its usual steps and places;"
        " plain: as habits, and what the model writes is short; free: the model plans the day itself;"
        " auto: as a trial of the model has found (llm.tried); for a model that was never tried, habits where its name says fewer than 4 billion parameters,"
        " as in qwen3:1.7b, plain for fewer than 1 billion.",
    )
    tried: dict[str, dict[str, Literal["habits", "free"]]] = Field(
        {},
        description="By model and kind of prompt, whether auto keeps residents near habit or leaves them free."
        " A new run takes it from the trials of its models (`hometown model try`).",
    )
    thinking: list[str] = Field(
        ["auto"],
        description='Kinds of prompt for which a model that can thinks before it replies, as in ["schedule_daily", "reflect_insights"]; auto: those for which'
        " a trial has found that it pays (`hometown model try MODEL --thinking`). Nobody remembers what it thinks, and a reply takes several times as long.",
    )
    retries: int = Field(
        1,
        ge=0,
        le=5,
        description="Number of times an invalid reply is requested again, with the error, before the fallback is used.",
    )
    max_fallback_share: float = Field(
        0.5,
        gt=0,
        le=1,
        description="Share of fallbacks over the last 200 calls at which the run stops; it can be resumed.",
    )


class Llm(TownLlm):
    """Adds the models by name, and how they are served."""

    default: str = Field(
        "auto",
        description="Language model when --llm is not given: auto, scripted, or BACKEND:MODEL.",
    )
    model: str = Field(
        "qwen3:8b",
        min_length=1,
        description="Ollama model that auto looks for, as `ollama list` names it.",
    )
    by_kind: dict[str, str] = Field(
        {},
        description='Language models for individual kinds of prompt, as in {"poignancy": "ollama:qwen3:1.7b"}; all others use the run\'s model.',
    )
    num_ctx: int = Field(
        8192,
        ge=512,
        description="Context size in tokens, for prompt and reply together; longer prompts are shortened. Also sent to Ollama.",
    )
    keep_alive: str = Field(
        "30m",
        pattern=r"^-?[0-9]+(\.[0-9]+)?(ms|s|m|h)$",
        description="How long Ollama keeps a model loaded after a call; -1s: indefinitely.",
    )
    give_up_after: float = Field(
        120,
        ge=0,
        description="Seconds without a response from a model server after which it is asked once more, and then the run stops; it can be resumed.",
    )
    min_tokens_per_second: float = Field(
        0.5,
        gt=0,
        description="Slowest reply that is waited for: one that takes longer than its maximum number of tokens at this rate is requested again.",
    )


class TownDetail(Section):
    """Levels of detail that need no model. Names are stored as ids."""

    background: list[str] = Field(
        [],
        description="Residents, by name, who are played by rule, as by --llm scripted, and named as such, unless they talk with somebody who is not.",
    )


class Detail(TownDetail):
    """Adds the level for other residents, who are played by a model of its own."""

    cast: list[str] = Field(
        [],
        description="Residents, by name, who are played by the run's model where detail.others plays the others.",
    )
    others: str = Field(
        "",
        description="Language model of everybody outside detail.cast, as in ollama:qwen3:1.7b; if empty: the run's model."
        " Whoever talks with the cast is played by the run's model, too.",
    )


class TownEmbedding(Section):
    dimension: int = Field(384, ge=16, le=4096, description="Dimensions of the hash embedding.")


class Embedding(TownEmbedding):
    default: str = Field(
        "auto",
        description="Embedding when --embedding is not given: auto, hash, e5, ollama:MODEL, openai:MODEL, gguf:FILE, or huggingface:PATH_OR_NAME.",
    )


class Machine(Section):
    """Settings of this machine, which are never stored in a run."""

    threads: int = Field(1, ge=1, description="Number of BLAS and torch threads.")
    slots: int = Field(8, ge=1, description="Maximum number of concurrent model calls.")
    ahead: int = Field(
        -1,
        ge=-1,
        le=4,
        description="Steps for which calls are made ahead of the town, in slots that would be idle, as copies of it are expected to need them; the town stays"
        " the same. -1: for Ollama and for OpenAI-compatible servers on this machine 3; 0 for models that may bill or"
        " share this machine's processors, and while most replies take half a minute or longer."
        " Always 0 where turn_order is sequential.",
    )
    visitor_seconds: float = Field(
        60,
        ge=0,
        description="Time for which the town waits for a visitor's next words in a conversation.",
    )
    ollama_hosts: list[str] = Field(
        [],
        description="Ollama servers among which residents are distributed; if empty: OLLAMA_HOST, else http://127.0.0.1:11434.",
    )
    openai_base_url: str = Field(
        "",
        description="Address of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1, or of several, separated by commas; if empty: OPENAI_BASE_URL.",
    )
    gguf: str = Field(
        "",
        description="GGUF file that auto takes where Ollama does not have llm.model, and where a file of its name is looked for.",
    )
    llama_threads: int = Field(
        0,
        ge=0,
        description="Number of threads of llama.cpp for gguf:FILE; 0: as many as the machine has cores.",
    )
    gpu_layers: int = Field(
        -1, ge=-1, description="Number of layers of a gguf:FILE on the GPU; -1: as many as fit."
    )
    embedding_device: Literal["auto", "cpu", "cuda", "mps"] = Field(
        "auto",
        description="Device of a huggingface embedding: cpu, cuda, mps, or auto for the GPU if there is one.",
    )
    timeout_seconds: float = Field(
        600,
        gt=0,
        description="Timeout for a batch of embeddings, for loading a gguf:FILE, and for a response from a model server if llm.give_up_after is 0.",
    )
    shards: int = Field(
        0,
        ge=0,
        description="Processes over which the residents' minds are spread, by Ray (--shards); 0: all think in the process of the run. The town stays the same,"
        " and nothing is asked ahead.",
    )
    ray: str = Field(
        "",
        description="Address of the Ray cluster on which the shards, or the runs of an experiment, live (--ray), or auto for that of this machine; if empty:"
        " shards get a Ray of their own, and experiments use processes, on this machine alone.",
    )
    synchronous: Literal["FULL", "NORMAL"] = Field(
        "FULL", description="SQLite durability; with FULL, saved steps survive a power failure."
    )


class TownSettings(Section):
    """The settings that a world or an experiment may carry."""

    preset: Literal["ville", "paper", "tutorial"] = Field(
        "ville",
        description="Constants of retrieval and reflection: those of GenerativeAgentsCN (ville), of Park et al. 2023 (paper), or of the tutorial."
        " A preset that is named overrides the world's settings; single keys override it.",
    )
    turn_order: Literal["simultaneous", "sequential"] = Field(
        "simultaneous",
        description="simultaneous: all think on one snapshot; sequential: later residents see what earlier ones just did.",
    )
    chat_iter: int = Field(
        4,
        ge=1,
        le=20,
        description="Maximum number of rounds in a conversation; a round is one line from each.",
    )
    director: Literal["off", "daily", "quiet"] = Field(
        "off",
        description="Whether the model, once a day, may plant an occasion, a letter or a stranger, which residents perceive like anything else."
        " daily: on every day; quiet: only while nothing happens and no gathering is due; off: never.",
    )
    world_editor: Literal["off", "propose", "enter"] = Field(
        "off",
        description="Whether the model, once a day, drafts a change of the rules of a society, which is tried on copies of the town. propose: it is left to"
        " the user with its evidence; enter: it is entered if it does no harm in the trials; off: never.",
    )
    record_prompts: bool = Field(
        True, description="Store the text of every prompt, compressed, for the page's 'why?'."
    )
    instructions: dict[str, str] = Field(
        {},
        description="Sentences added to the task of prompts, by their kind: another version of the prompts, as in utterance: Be brief.",
    )
    percept: Percept = Percept()
    schedule: ScheduleSettings = ScheduleSettings()
    think: Think = Think()
    chat: Chat = Chat()
    faculties: Faculties = Faculties()
    thrift: Thrift = Thrift()
    processes: ProcessSettings = ProcessSettings()
    associate: RetrievalSettings = RetrievalSettings()
    llm: TownLlm = TownLlm()
    detail: TownDetail = TownDetail()
    embedding: TownEmbedding = TownEmbedding()


class RunSettings(TownSettings):
    """The settings that a run keeps: those of its town, and its models by name."""

    llm: Llm = Llm()
    detail: Detail = Detail()
    embedding: Embedding = Embedding()

    def add_machine(self, machine: Machine) -> Settings:
        """Return all settings, with those of `machine`."""
        return Settings(
            **{name: getattr(self, name) for name in RunSettings.model_fields}, machine=machine
        )


class Settings(RunSettings):
    """All settings, which only the user may set."""

    machine: Machine = Machine()

    def drop_machine(self) -> RunSettings:
        """Return the part of these settings that a run stores."""
        return RunSettings(**{name: getattr(self, name) for name in RunSettings.model_fields})
