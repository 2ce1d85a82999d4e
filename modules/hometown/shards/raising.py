"""A shard with all that it needs, in whichever process it lives."""

from __future__ import annotations

from hometown.backends import choose_model
from hometown.model.embedding import make_embedder
from hometown.shards.leases import LeasedModel
from hometown.shards.neighbours import CallOn, Neighbours, Visit
from hometown.shards.outbox import Outbox
from hometown.shards.package import Charter
from hometown.shards.shard import Shard
from hometown.shards.wire import Desk, Link


class Office:
    """A shard at work: at one desk for the process of the run, and at one for each neighbour that
    has called.
    """

    def __init__(self, shard: Shard, outbox: Outbox) -> None:
        self._shard, self._outbox = shard, outbox
        self._desks = [Desk(shard)]
        self._neighbours: Neighbours | None = None

    def serve(self, link: Link) -> None:
        """Does what the process of the run asks by this link."""
        self._desks[0].serve(link)

    def welcome(self, link: Link) -> None:
        """Does what a neighbour asks by this link."""
        visit = Desk(Visit(self._shard, self._outbox))
        visit.serve(link)
        self._desks.append(visit)

    def introduce(self, call_on: CallOn) -> None:
        """From now on, it can ask its neighbours."""
        self._neighbours = self._shard.neighbours = Neighbours(call_on, self._outbox)

    def stop(self) -> None:
        """Breaks off all that is under way."""
        for desk in self._desks:
            desk.stop()
        if self._neighbours:
            self._neighbours.close()


async def opened_office(charter: Charter) -> Office:
    """The office of a new shard, with the model and the embedding that its charter names. Raises
    BadInput or ModelUnavailable as for any run.
    """
    outbox, lang = Outbox(), charter.world.lang
    model, _ = await choose_model(charter.llm, charter.settings, lang, outbox.say)
    model = LeasedModel(model, outbox) if charter.leased else model
    return Office(
        Shard(charter, model, make_embedder(charter.embedding, charter.settings, lang), outbox),
        outbox,
    )
