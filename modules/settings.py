"""Every setting, with its meaning; `data/config.json` and the run's manifest hold one of these.

Names are those of GenerativeAgentsCN where it has them. `docs/configuration.md` is
written from the descriptions below, so a key without one fails the tests.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Percept(Section):
    mode: Literal["box"] = Field("box", description="Shape of the field of view: a square around the resident.")
    vision_r: int = Field(8, ge=1, le=64, description="Tiles a resident sees in each direction, within its own arena.")
    att_bandwidth: int = Field(8, ge=1, le=64, description="Events a resident takes in at one step, nearest first.")


class ScheduleSettings(Section):
    diversity: int = Field(5, ge=1, le=24, description="Different activities a day plan needs at least; fewer count as an unusable reply.")
    max_try: int = Field(5, ge=1, le=20, description="Times a day plan is asked for before the best one so far is taken.")
    task_minutes: int = Field(5, ge=1, le=60, description="Shortest sub-task in minutes; never shorter than the stride.")


class Think(Section):
    poignancy_max: int = Field(150, ge=1, description="Summed poignancy of new memories at which a resident reflects (Park et al. 2023, §4.2).")
    focus_recent: int = Field(100, ge=1, description="Latest memories among which those that mattered most raise the questions of a reflection.")
    questions: int = Field(3, ge=1, le=10, description="Questions of one reflection.")
    insights: int = Field(5, ge=1, le=10, description="Insights per question, at most.")


class Chat(Section):
    cooldown_minutes: int = Field(60, ge=0, description="Game minutes after a talk before the same two may talk again.")
    seconds_per_line: int = Field(20, ge=1, description="Game seconds a line takes beside its length.")
    characters_per_minute: dict[Literal["en", "zh"], int] = Field({"en": 600, "zh": 200}, description="Speaking speed by language, for the duration of a talk.")
    max_minutes: int = Field(30, ge=1, description="Longest talk in game minutes.")
    urgent_minutes: int = Field(20, ge=0, description="A resident whose appointment begins within so many minutes starts no talk.")


class Associate(Section):
    retention: int = Field(8, ge=0, description="Latest events that count as known when something is seen again.")
    max_memory: int = Field(-1, ge=-1, description="Live memories per resident; the least valuable retire beyond it. -1: no limit.")
    expire_days: int = Field(30, ge=1, description="Game days after which a memory retires.")
    retrieve_max: int = Field(10, ge=1, le=100, description="Memories that one retrieval returns.")
    recency_decay: float = Field(0.995, gt=0, le=1, description="Base of the recency term.")
    recency_basis: Literal["rank", "access", "creation"] = Field(
        "rank", description="Exponent of the decay: rank by last access, hours since last access, or hours since creation."
    )
    recency_weight: float = Field(0.5, ge=0, description="Weight of recency in the retrieval score.")
    importance_weight: float = Field(2.0, ge=0, description="Weight of importance (poignancy) in the retrieval score.")
    relevance_weight: float = Field(3.0, ge=0, description="Weight of relevance (cosine similarity) in the retrieval score.")
    normalise: Literal["minmax", "none"] = Field(
        "minmax", description="minmax: each term scaled to 0–1 over the live memories; none: raw recency, poignancy ÷ 10, raw cosine."
    )


class Llm(Section):
    default: str = Field("auto", description="Language model when --llm is not given: auto, scripted, or BACKEND:MODEL.")
    model: str = Field("qwen3:8b", min_length=1, description="Ollama model that auto looks for, as `ollama list` names it.")
    by_kind: dict[str, str] = Field(
        {}, description='Language models for single kinds of prompt, as in {"poignancy": "ollama:qwen3:1.7b"}; the run\'s for the rest.'
    )
    num_ctx: int = Field(
        8192, ge=512, description="Tokens that prompt and reply may have together; a longer prompt is shortened, and Ollama is told to give that much."
    )
    keep_alive: str = Field("30m", pattern=r"^-?[0-9]+(\.[0-9]+)?(ms|s|m|h)$", description="How long Ollama keeps a model loaded after a call; -1s: for ever.")
    retries: int = Field(1, ge=0, le=5, description="Times an unusable reply is asked for again, with the error, before the fallback.")
    max_fallback_share: float = Field(0.5, gt=0, le=1, description="Share of fallbacks over the last 200 calls at which the run stops, resumable.")
    give_up_after: float = Field(120, ge=0, description="Seconds without a sign from a model server after which the run stops, resumable.")


class Embedding(Section):
    default: str = Field("hash", description="Embedding when --embedding is not given: hash, ollama:MODEL, openai:MODEL, or huggingface:PATH_OR_NAME.")
    dimension: int = Field(384, ge=16, le=4096, description="Dimensions of the hash embedding.")


class Machine(Section):
    """What belongs to this machine and not to the run: never written into one."""

    threads: int = Field(1, ge=1, description="BLAS and torch threads.")
    slots: int = Field(8, ge=1, description="Model calls under way at once.")
    ollama_hosts: list[str] = Field([], description="Ollama servers that share the calls; none: OLLAMA_HOST, else http://127.0.0.1:11434.")
    openai_base_url: str = Field("", description="Address of an OpenAI-compatible server, as http://127.0.0.1:8000/v1; empty: OPENAI_BASE_URL.")
    timeout_seconds: float = Field(
        600, gt=0, description="Longest wait for a batch of embeddings, and for a sign of a model server where llm.give_up_after is 0."
    )
    synchronous: Literal["FULL", "NORMAL"] = Field("FULL", description="SQLite durability; FULL survives a power cut.")


class Settings(Section):
    """All settings of a run, beside those that the command line names."""

    preset: Literal["ville", "paper", "tutorial"] = Field(
        "ville",
        description="Retrieval and reflection as in GenerativeAgentsCN (ville), Park et al. 2023 (paper) or the tutorial; single keys override it.",
    )
    turn_order: Literal["simultaneous", "sequential"] = Field(
        "simultaneous", description="simultaneous: all think on one snapshot; sequential: later residents see what earlier ones just did."
    )
    chat_iter: int = Field(4, ge=1, le=20, description="Rounds of a conversation at most; a round is one line from each.")
    record_prompts: bool = Field(True, description="Keep the text of every prompt, compressed, for 'why?'.")
    percept: Percept = Percept()
    schedule: ScheduleSettings = ScheduleSettings()
    think: Think = Think()
    chat: Chat = Chat()
    associate: Associate = Associate()
    llm: Llm = Llm()
    embedding: Embedding = Embedding()
    machine: Machine = Machine()


PRESETS: dict[str, dict[str, Any]] = {
    "ville": {},
    "paper": {"associate": {"recency_basis": "access", "recency_weight": 1.0, "importance_weight": 1.0, "relevance_weight": 1.0}},
    "tutorial": {
        "associate": {
            "recency_decay": 0.99,
            "recency_basis": "creation",
            "recency_weight": 1.0,
            "importance_weight": 1.0,
            "relevance_weight": 1.0,
            "normalise": "none",
        },
        "think": {"poignancy_max": 50},
    },
}
"""What each preset changes against the defaults above."""
