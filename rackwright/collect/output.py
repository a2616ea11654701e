"""The raw answer of one machine to one question, before it is parsed.

A question that failed is an `Output` with an `error`, never an exception: one dead node is a result to report.
"""

from __future__ import annotations

from dataclasses import dataclass

MOST_LETTERS = 2_000
"""Longest text of a reason, in characters: every check repeats it."""


@dataclass(frozen=True)
class Ask:
    """One question to one machine: a command, or a library call of the probe."""

    collector: str
    seconds: float
    command: tuple[str, ...] = ()
    library: str = ""
    subject: str = ""
    """Distinguishes repeated questions to one machine: the fabric of a subnet."""
    as_root: bool = False
    """The command needs root: the probe of any other user runs it by ``sudo -n``."""
    without_root: bool = False
    """If sudo refuses it, the command runs with the rights of the account, and may print less."""
    folders: tuple[str, ...] = ()
    """Where its program may be installed besides the folders of administrators."""

    @property
    def id(self) -> str:
        """Unique among the questions to one machine."""
        return f"{self.collector}:{self.subject}" if self.subject else self.collector


@dataclass(frozen=True)
class Output:
    """One answer, as raw bytes."""

    node: str
    """The machine that answered."""
    collector: str
    subject: str
    stdout: bytes = b""
    stderr: bytes = b""
    rc: int | None = None
    """Exit status; None if nothing ran."""
    seconds: float = 0.0
    error: str = ""
    """Why there is no usable answer, in one sentence; empty if the question was answered."""
    tool: str = ""
    """Name and version of the program that answered."""
    clock: str = ""
    """ISO time by the clock of the machine that answered."""
    nodes: tuple[str, ...] = ()
    """The nodes that took part in a test over several of them; `node` is the machine that started it."""
    boots: tuple[str, ...] = ()
    """The boot id (``/proc/sys/kernel/random/boot_id``) of `node` during the run, or of each of `nodes` in their order;
    empty if unknown.
    """

    def __post_init__(self) -> None:
        """Escape characters that no text can hold (halves of surrogate pairs in JSON of a node), so that the fields can
        be stored and printed, and cut fields that are longer than `MOST_LETTERS`.
        """
        for name in ("error", "tool", "clock"):
            value = getattr(self, name)
            if len(value) > MOST_LETTERS or not value.isascii():
                cut = f"{value[:MOST_LETTERS]}…" if len(value) > MOST_LETTERS else value
                object.__setattr__(self, name, cut.encode(errors="backslashreplace").decode())


def unanswered_outputs(node: str, asks: tuple[Ask, ...], error: str, beginning: bytes = b"") -> list[Output]:
    """Outputs for questions that were never answered, all with the same error; the first keeps the `beginning` of what
    was received instead.
    """
    return [
        Output(node, ask.collector, ask.subject, stdout=b"" if number else beginning, error=error)
        for number, ask in enumerate(asks)
    ]
