"""The exceptions that Hometown raises on purpose.

    HometownError
    ├── BadInput            an invalid request: exit code 2, nothing was changed
    │   ├── BadSettings     an invalid settings file or option
    │   ├── MissingPart     a part of Hometown that is not installed
    │   ├── BadWorld        an invalid world folder
    │   │   └── Outdated    a change to a part of a world that was changed meanwhile
    │   └── BadRun          no such run, a run in use, a damaged or newer database
    │       ├── OverBudget  more than may be read of a run or a world
    │       └── DiskTrouble the disk is full or inaccessible: exit code 3, the run can be resumed
    ├── OutputLost          the output can't be written: exit code 3
    │   └── OutputClosed    its reader has closed it: exit code 141
    └── ModelUnavailable    no model, or no usable replies: exit code 3, the run can be resumed
        ├── ModelBusy       no response at present: trying again may help
        │   └── ServerMisconfigured  no response before a setting is changed
        ├── ModelUnusable   a model that cannot play residents
        ├── CallFailed      no reply to one request, while others are answered: the prompt's fallback is used
        └── TooLong         a prompt that exceeds the model's context: a shorter one may fit

Messages are one line each: which value is wrong, what would be right, how to fix it. They are
written in English, with {fields} for values, and translated by gettext (`hometown.text`):

    raise BadRun("there is no step {step} in run {name!r}", step=at, name=name)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hometown.text import Phrase

_LONGEST_LINE = 160
"""Characters of an error of a package that are shown, at most."""


class HometownError(Exception):
    """Base of all errors that are shown to the user as lines, never as a traceback.

    `text` is a template for `values`, or several finished lines.
    """

    exit_code = 1

    def __init__(self, text: str | Sequence[Phrase], /, **values: object) -> None:
        self.lines = [Phrase(text, **values)] if isinstance(text, str) else list(text)
        super().__init__("\n".join(self.lines))

    def localize(self, lang: str) -> str:
        """Return the message in a language; `str` returns it in English."""
        return "\n".join(line.localize(lang) for line in self.lines)


class BadInput(HometownError):
    """An invalid option, name or value. Nothing has been written."""

    exit_code = 2


class BadSettings(BadInput):
    """Unknown settings or invalid values, one line each."""


class MissingPart(BadInput):
    """A part of Hometown that this installation lacks."""


class BadWorld(BadInput):
    """All faults of a world at once, one line each."""


class Outdated(BadWorld):
    """A change to data that another program has changed meanwhile. Nothing has been written."""


class BadRun(BadInput):
    """A run that does not exist, exists already, is in use or is damaged."""


class DiskTrouble(BadRun):
    exit_code = 3


class OverBudget(BadRun):
    """More data than may be read of a run or a world (`hometown.read_budget`)."""


class OutputLost(HometownError):
    """The output cannot be written, for instance because the disk is full. A run stops after its
    last saved step and can be resumed.
    """

    exit_code = 3


class OutputClosed(OutputLost):
    """The reader of the output has closed it, as `head` does: 128 + SIGPIPE, as in shells."""

    exit_code = 141


class ModelUnavailable(HometownError):
    """A model or server that cannot be used. The run stops after its last saved step and can be
    resumed.
    """

    exit_code = 3


class ModelBusy(ModelUnavailable):
    """Not reachable, too slow, overloaded or still loading.

    `retry_after` is the seconds to wait, if the server names them, else 0; `waited` the seconds
    that have passed without a response. `overloaded` says that any other request would have failed,
    too; `has_responded` that the server sent something, though no reply.
    """

    def __init__(
        self,
        text: str,
        /,
        *,
        retry_after: float = 0.0,
        waited: float = 0.0,
        overloaded: bool = False,
        has_responded: bool = False,
        **values: object,
    ) -> None:
        self.has_responded = has_responded
        self.retry_after = retry_after
        self.waited = waited
        self.overloaded = overloaded
        super().__init__(text, **values)


class ServerMisconfigured(ModelBusy):
    """A server that can answer no request until a setting, of the server or of Hometown, is
    changed; the message says which. One that has answered before is treated as busy.
    """

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(
            text, retry_after=0.0, waited=0.0, overloaded=True, has_responded=True, **values
        )


class ModelUnusable(ModelUnavailable):
    """A model that cannot play residents, on this server; a run needs another one."""


class CallFailed(ModelUnavailable):
    """One request that a server never answers, although it answers others."""


class TooLong(ModelUnavailable):
    """A prompt that exceeds the context; the message names the prompt, its tokens and the setting."""


@contextmanager
def explain_write_errors(kind: type[BadInput] = BadInput, folder: object = "?") -> Iterator[None]:
    """Raise an error of this kind in place of an OSError, with its file, or else the folder."""
    try:
        yield
    except OSError as error:
        raise kind(
            "can't write {file}: {reason}; check the free space and the permissions of its folder",
            file=error.filename or folder,
            reason=reason_of(error),
        ) from None


@contextmanager
def collect_faults(lines: list[Phrase]) -> Iterator[None]:
    """Add the lines of a BadInput to `lines` in place of raising it, so that independent checks
    run, too.
    """
    try:
        yield
    except BadInput as error:
        lines += error.lines


def reason_of(error: Exception) -> Phrase:
    """Return the reason of a failure in one line: our own message, or that of the system or a
    package; common ones have a Chinese version.
    """
    return (
        error.lines[0]
        if isinstance(error, HometownError)
        else Phrase(str(getattr(error, "strerror", None) or error))
    )


def first_line(error: Exception) -> str:
    """Return the first line of an error of a package, cut to be short, or its type if it says
    nothing.

    >>> first_line(ValueError("no\\nway")), first_line(KeyError())
    ('no', 'KeyError')
    """
    text = str(getattr(error, "strerror", None) or error).strip()
    return text.splitlines()[0][:_LONGEST_LINE] if text else type(error).__name__
