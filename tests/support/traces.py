"""Traces of a word in the minds of a run."""

from __future__ import annotations

from hometown.storage.run import RunFile


def traces(run: RunFile, word: str) -> list[tuple[str, int, str]]:
    """Return (resident, step, where) of each prompt, reply, memory and row of a resident that
    contains a word.
    """
    found = []
    for call in run.calls():
        text = "\n".join([call.reply, *(message.content for message in call.messages)])
        if word in text.lower():
            found.append((call.who, call.step, call.kind))
    for who, step, text in run.database.execute("SELECT resident, step, text FROM memories"):
        if word in text.lower():
            found.append((who, step, "memory"))
    for key, step, value in run.database.execute(
        "SELECT key, step, value FROM state WHERE value IS NOT NULL"
    ):
        if (
            word in value.decode().lower()
            and "/" in key
            and key.split("/")[0] in ("mind", "schedule", "tasks", "promises", "relation", "action")
        ):
            found.append((key.split("/")[1], step, key))
    return found
