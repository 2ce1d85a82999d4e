"""The exceptions that Hometown raises on purpose.

    HometownError
    ├── BadInput            the user's mistake: exit code 2, nothing was changed
    │   ├── BadSettings     a settings file or an option that doesn't fit
    │   ├── BadWorld        a world folder that doesn't hold together
    │   └── BadRun          no such run, a run in use, a damaged or newer database
    │       └── DiskTrouble the disk is full, or out of reach: exit code 3, the run can be resumed
    └── ModelUnavailable    no model, or none that can be used: exit code 3, the run can be resumed
        ├── ModelBusy       no answer now, perhaps one in a moment: worth asking again
        └── TooLong         a prompt that the model's context does not hold: worth asking with less in it

Messages are one line each: which value is wrong, what would be right, how to mend it. They are written in English, with
{fields} for what they name, and have their Chinese under the same words in `data/text/zh/phrases.json`:

    raise BadRun("there is no step {step} in run {name!r}", step=at, name=name)
"""

from __future__ import annotations

from collections.abc import Sequence

from modules.text import Phrase


class HometownError(Exception):
    """Base of all errors that are shown to the user as lines, never as a traceback.

    `text` is a template that `values` fill, or several lines that are ready.
    """

    exit_code = 1

    def __init__(self, text: str | Sequence[Phrase], /, **values: object) -> None:
        self.lines = [Phrase(text, **values)] if isinstance(text, str) else list(text)
        super().__init__("\n".join(self.lines))

    def said(self, lang: str) -> str:
        """What `str` gives, in a language."""
        return "\n".join(line.said(lang) for line in self.lines)


class BadInput(HometownError):
    exit_code = 2


class BadSettings(BadInput):
    pass


class BadWorld(BadInput):
    """All faults of a world at once, one line each."""


class BadRun(BadInput):
    pass


class DiskTrouble(BadRun):
    exit_code = 3


class ModelUnavailable(HometownError):
    exit_code = 3


class ModelBusy(ModelUnavailable):
    """Not reached, too slow, overloaded or still loading.

    `retry_after`: seconds to wait, where the server says so, else 0. `waited`: seconds that have passed without a sign of it.
    """

    def __init__(self, text: str, /, *, retry_after: float = 0.0, waited: float = 0.0, **values: object) -> None:
        self.retry_after = retry_after
        self.waited = waited
        super().__init__(text, **values)


class TooLong(ModelUnavailable):
    """Names the prompt, its tokens and the setting."""


def reason_of(error: Exception) -> Phrase:
    """Why something failed, in a line: in our words, or in those of the system or of a package, which are known in Chinese where users meet them."""
    return error.lines[0] if isinstance(error, HometownError) else Phrase(str(getattr(error, "strerror", None) or error))
