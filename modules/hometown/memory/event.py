"""Events, as residents perceive them."""

from __future__ import annotations

from hometown.frozen import frozen


@frozen
class Event:
    """A subject–predicate–object triple at an address, with the sentence that describes it.

    `subject` and `object` are ids of residents or addresses of things; `predicate` and `describe`
    are in the run's language. An idle event is one of which nothing need be thought, an unusual one
    that which no routine explains. `weight` is how much it matters by rule, 1 to 10; 0 where that
    remains to be said.
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
