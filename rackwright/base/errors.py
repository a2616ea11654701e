"""How rackwright reports errors: problems with a place and a next step, and the exit codes of the command.

    RackwrightError            anything rackwright raises on purpose
    ├── ProblemsError          the input of a stage has problems; all of them, sorted by place      exit 1
    ├── UsageError             the command cannot be carried out as it was called                   exit 2
    └── OutsideError           something outside rackwright (BMC, host, engine) refused or failed   exit 1

Any other exception is a bug of rackwright: exit 3, with the traceback in a log file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import IntEnum


class ExitCode(IntEnum):
    """Meaning of the exit status of every command."""

    PASS = 0
    PROBLEMS = 1
    USAGE = 2
    BUG = 3
    INTERRUPTED = 130


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake, described so that the reader can act on it."""

    place: str
    """``file:line`` if a file was read, otherwise the object that was examined."""
    path: str
    """Field path inside the input (``pools[0].server``); empty for the whole input."""
    message: str
    """The mistake, without a full stop."""
    expected: str
    found: str
    next_step: str
    code: str
    """Stable id, ``stage.problem`` (``spec.unknown_key``)."""

    def __str__(self) -> str:
        subject = f"{self.path}: " if self.path else ""
        return (
            f"{self.place}: {subject}{self.message}\n"
            f"    expected: {self.expected}\n"
            f"    found:    {self.found}\n"
            f"    next:     {self.next_step}  [{self.code}]"
        )

    def as_dict(self) -> dict[str, str]:
        """The problem as plain data, for ``--format json``."""
        return asdict(self)


class RackwrightError(Exception):
    """Base of everything rackwright raises on purpose."""

    exit_code = ExitCode.PROBLEMS


class ProblemsError(RackwrightError):
    """The problems of one stage, all at once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[ProblemsError], tuple[tuple[Problem, ...]]]:
        """Rebuilt from its problems: forked processes that judge send it to their parent."""
        return type(self), (self.problems,)


class UsageError(RackwrightError):
    """The command cannot be carried out as it was called; the text says what to call instead."""

    exit_code = ExitCode.USAGE


class OutsideError(RackwrightError):
    """Something outside rackwright refused or failed; the text names it and the next step."""
