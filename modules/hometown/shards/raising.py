"""A shard with all that it needs, in whichever process it lives."""

from __future__ import annotations

from hometown.backends import choose_model
from hometown.model.embedding import make_embedder
from hometown.shards.leases import LeasedModel
from hometown.shards.outbox import Outbox
from hometown.shards.package import Charter
from hometown.shards.shard import Shard
from hometown.shards.wire import Desk


async def raised_desk(charter: Charter) -> Desk:
    """The desk of a new shard, with the model and the embedding that its charter names. Raises BadInput or ModelUnavailable as for any run."""
    outbox, lang = Outbox(), charter.world.lang
    model, _ = await choose_model(charter.llm, charter.settings, lang, outbox.say)
    model = LeasedModel(model, outbox) if charter.leased else model
    return Desk(Shard(charter, model, make_embedder(charter.embedding, charter.settings, lang), outbox))
