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

Messages are one line each: which value is wrong, what would be right, how to mend it.
"""

from __future__ import annotations


class HometownError(Exception):
    """Base of all errors that are shown to the user as one line, never as a traceback."""

    exit_code = 1


class BadInput(HometownError):
    exit_code = 2


class BadSettings(BadInput):
    pass


class BadWorld(BadInput):
    """All faults of a world at once, one line each."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))


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

    def __init__(self, message: str, retry_after: float = 0.0, waited: float = 0.0) -> None:
        self.retry_after = retry_after
        self.waited = waited
        super().__init__(message)


class TooLong(ModelUnavailable):
    """Names the prompt, its tokens and the setting."""
