"""What came back for one question to one machine, before anybody has read it.

A question that failed is an `Output` with an `error`, never an exception: one dead node is news, not an accident.
"""

from __future__ import annotations

from dataclasses import dataclass

MOST_LETTERS = 2_000
"""Of a sentence that says why there is no value: every check says it again."""


@dataclass(frozen=True)
class Ask:
    """One question to one machine: a command, or a library call of the probe."""

    collector: str
    seconds: float
    command: tuple[str, ...] = ()
    library: str = ""
    subject: str = ""
    """Tells repeated questions to one machine apart: the fabric of a subnet."""
    as_root: bool = False
    """The command needs root: the probe of another user runs it by ``sudo -n``."""
    without_root: bool = False
    """Where sudo refuses it, the command runs with the rights of the account, and may say less."""
    folders: tuple[str, ...] = ()
    """Where its program may lie besides the folders of administrators."""

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
    """Exit status; None when nothing ran."""
    seconds: float = 0.0
    error: str = ""
    """Why there is no usable answer, in one sentence; empty when the question was answered."""
    tool: str = ""
    """Name and version of what answered."""
    clock: str = ""
    """ISO time by the clock of the machine that answered."""
    nodes: tuple[str, ...] = ()
    """The nodes that took part in a test over several of them; `node` is the machine that started it."""
    boots: tuple[str, ...] = ()
    """The boot (``/proc/sys/kernel/random/boot_id``) in which `node` was meanwhile, or each of `nodes` in their order; empty where it is not known."""

    def __post_init__(self) -> None:
        """What no text can hold (halves of surrogate pairs, out of somebody's JSON) is shown as what it is, so that it can be kept and printed.

        Megabytes of words in the place of a sentence are cut: a node may say what it likes.
        """
        for name in ("error", "tool", "clock"):
            value = getattr(self, name)
            if len(value) > MOST_LETTERS or not value.isascii():
                cut = f"{value[:MOST_LETTERS]}…" if len(value) > MOST_LETTERS else value
                object.__setattr__(self, name, cut.encode(errors="backslashreplace").decode())


def unanswered_outputs(node: str, asks: tuple[Ask, ...], error: str, beginning: bytes = b"") -> list[Output]:
    """The outputs of questions that were never answered, all for the same reason; the first keeps the `beginning` of what came instead."""
    return [
        Output(node, ask.collector, ask.subject, stdout=b"" if number else beginning, error=error)
        for number, ask in enumerate(asks)
    ]
