"""Events that residents perceive."""

from __future__ import annotations

from hometown.frozen import frozen


@frozen
class Event:
    """A subject–predicate–object triple at an address, with the sentence that describes it.

    `subject` and `object` are ids of residents or addresses of things; `predicate` and `describe`
    are in the run's language. An idle event needs no thought; an unusual one is explained by no
    routine. `weight` is its importance by rule, 1 to 10, or 0 if a model has yet to rate it.
    """

    subject: str
    predicate: str
    object: str
    address: str
    describe: str
    emoji: str = ""
    idle: bool = False
    unusual: bool = False
    weight: int = 0

    @property
    def triple(self) -> tuple[str, str, str]:
        return (self.subject, self.predicate, self.object)
