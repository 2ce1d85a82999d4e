"""Memories as LlamaIndex nodes, with all their fields as metadata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter

from hometown.memory.arithmetic import Vector, to_unit_vector
from hometown.memory.concept import Concept
from hometown.memory.keywords import count_keywords, find_keywords
from hometown.memory.llama_types import BaseNode, TextNode, TransformComponent
from hometown.memory.stream import MemoryStream

_KINDS: dict[str, str] = {"chat": "dialogue", "thought": "reflection"}

_FIELDS = ("type", "subject", "predicate", "object", "address", "poignancy", "talk")
"""Fields of a memory that go into a node's metadata unchanged."""

_SHOWN = ("resident", "created")
"""Metadata shown to a language model along with a node's text."""

_CONCEPT = TypeAdapter(Concept)


class Unsplit(TransformComponent):
    """Leaves nodes as they are: a memory is not split.

    An index without a transformation asks LlamaIndex's global settings for a splitter, whose
    tokenizer is downloaded.
    """

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        return nodes


def node_id(who: str, memory: int) -> str:
    """Return a memory's id as a node: `<resident>/<id>`."""
    return f"{who}/{memory}"


def split_id(node: str) -> tuple[str, int]:
    """Return resident and memory id of a node id. Raises ValueError for any other text."""
    who, _, memory = node.rpartition("/")
    return who, int(memory)


def find_kind(who: str, memory: Concept) -> str:
    """Return the kind of event that a memory is about.

    "action" is the resident's own, "observation" another resident's, "discovery" the state of a
    thing or a place, "news" was heard in a conversation; "dialogue", "reflection" and "plan" are
    memories of chats, thoughts and plans;
    "background" was read in a file and known before the run.
    """
    if memory.is_background:
        return "background"
    if memory.type != "event":
        return _KINDS.get(memory.type, memory.type)
    if memory.talk:
        return "news"
    if memory.subject == who:
        return "action"
    return "observation" if memory.subject in memory.about else "discovery"


class NodeMaker:
    """Makes nodes and their metadata from the memories of one resident: live ones, and retired ones
    that can be recalled.
    """

    def __init__(self, who: str, stream: MemoryStream) -> None:
        self._who = who
        self._stream = stream
        self._strengths: dict[str, Counter[str]] = {}

    def find(self, number: int) -> Concept:
        """Return a memory. Raises KeyError if none has this id."""
        memory = self._stream.find(number)
        if memory is None:
            raise KeyError(number)
        return memory

    def make_metadata(self, number: int) -> dict[str, Any]:
        """Return the fields of a memory, for filters. Times are ISO texts; `place` and `people` are
        `address` and `about`.

        `keywords` are those of its text, the strongest first, and `strengths` the numbers of the
        resident's memories of this type that have each; `strength` is the first of these, or 0.
        """
        retired = number not in self._stream
        stream = self._stream.cold if retired and self._stream.cold is not None else self._stream
        memory, strengths = stream.concept(number), self._count_keywords()
        keywords = sorted(
            find_keywords(memory.text), key=lambda word: -strengths[memory.type][word]
        )
        moments = {
            "created": memory.created,
            "accessed": stream.last_access(number),
            "expires": memory.expires,
        }
        return {
            "resident": self._who,
            "retired": retired,
            **{name: getattr(memory, name) for name in _FIELDS},
            **{name: moment.isoformat() for name, moment in moments.items()},
            "evidence": list(memory.evidence),
            "about": list(memory.about),
            "people": list(memory.about),
            "place": memory.address,
            "kind": find_kind(self._who, memory),
            "keywords": keywords,
            "strengths": [strengths[memory.type][word] for word in keywords],
            "strength": max((strengths[memory.type][word] for word in keywords), default=0),
        }

    def make_node(self, number: int, vector: Vector | None = None) -> TextNode:
        """Return a memory as a node, with its embedding, of unit length, if the quantised `vector`
        is given.

        Its metadata is not embedded with its text.
        """
        metadata, memory = self.make_metadata(number), self.find(number)
        return TextNode(
            id_=node_id(self._who, number),
            text=memory.text,
            embedding=None if vector is None else to_unit_vector(vector).tolist(),
            metadata=metadata,
            excluded_embed_metadata_keys=list(metadata),
            excluded_llm_metadata_keys=[name for name in metadata if name not in _SHOWN],
        )

    def _count_keywords(self) -> dict[str, Counter[str]]:
        """Return the strength of each keyword, by memory type, counted once over all memories, live
        and retired.
        """
        if not self._strengths:
            memories = [
                *self._stream.concepts.values(),
                *(self._stream.cold.concepts.values() if self._stream.cold is not None else ()),
            ]
            kinds = {memory.type for memory in memories}
            self._strengths = {
                kind: count_keywords(memory for memory in memories if memory.type == kind)
                for kind in kinds
            }
        return self._strengths


def concept_of_node(node: BaseNode) -> tuple[str, Concept]:
    """Return resident and memory of a node. Raises ValueError if its id or metadata are not those
    of a memory.
    """
    who, memory = split_id(node.node_id)
    fields = {
        name: value for name, value in node.metadata.items() if name in Concept.__dataclass_fields__
    }
    return who, _CONCEPT.validate_python({**fields, "id": memory, "text": node.get_content()})


def node_of(who: str, memory: Concept, vector: Vector | None = None) -> TextNode:
    """Return a node for a memory outside of any stream, such as one that is to be added to a store."""
    stream = MemoryStream()
    stream.add(memory, None)
    return NodeMaker(who, stream).make_node(memory.id, vector)
