"""One run on some nodes of a site: the input of every step, and how a step is displayed and recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from rackwright import collect
from rackwright.base.workspace import Workspace
from rackwright.ledger import Ledger, RoleEventStream
from rackwright.ledger.ledger import StepNote
from rackwright.model.access import Access
from rackwright.model.design import Design


class Watcher(Protocol):
    """Displays the run to a person (`cli.progress.StepProgress`)."""

    def start(self, step: str, total: int | None = None) -> None:
        """A step begins; `total` is the number of advances that it will report."""

    def advance(self, text: str, count: int = 1) -> None:
        """`count` more units of the running step are done."""

    def end(self, step: str, outcome: str, sentence: str) -> None:
        """The step is over: ``done``, ``failed`` or ``resumed``."""

    def note(self, sentence: str) -> None:
        """A remark on the step."""


OnDiff = Callable[[str, list[str]], None]
"""Called with ``host: task`` and the lines of a difference."""


@dataclass(frozen=True)
class Job:
    """A run of the flow."""

    path: Path
    """The site file."""
    design: Design
    nodes: tuple[str, ...]
    """Machines of this run: accelerator nodes and control servers."""
    access: Access
    workspace: Workspace
    ledger: Ledger
    run: str
    """Id of the run in the ledger."""
    watch: Watcher
    now: Callable[[], datetime]
    """The current time in UTC."""
    rehearsal: dict[str, Any] | None = None
    """None on the real site. On a twin the result of the rehearsal; empty if the verbs are called one by one."""

    twin: str = ""
    """Name of the twin whose machines these are; empty for real machines."""

    @property
    def candidates(self) -> tuple[str, ...]:
        """The accelerator nodes of this run, on which the gate decides."""
        return tuple(name for name in self.nodes if self.design.node(name).role == "accelerator")

    def evidence_store(self) -> collect.Store:
        """The evidence store of the workspace; new runs in it name their twin, and the head of the ledger."""
        return collect.Store(self.workspace.folder("evidence"), self.twin, self.ledger.head())

    def skip(self, name: str) -> bool:
        """True, and displayed as resumed, if this step of the run is already done."""
        if not self.ledger.is_done(self.run, name):
            return False
        self.watch.start(name)
        self.watch.end(name, "resumed", "was done before the interruption")
        return True

    def step(self, name: str, total: int | None = None) -> AbstractContextManager[RunningStep]:
        """Display and record a step; see `step`."""
        return step(Book(self.watch, self.ledger, self.run), name, total)


@dataclass(frozen=True)
class Book:
    """The watcher and the ledger of one run: all that a step needs before there is a design."""

    watch: Watcher
    ledger: Ledger
    run: str
    """Id of the run in the ledger."""


@contextmanager
def step(book: Book, name: str, total: int | None = None) -> Iterator[RunningStep]:
    """Display and record a step; an exception marks it as failed in the ledger and on the screen."""
    book.watch.start(name, total)
    try:
        with book.ledger.step(book.run, name) as note:
            running = RunningStep(book, name, note)
            yield running
    except GeneratorExit:
        # A second Ctrl-C left the block early: the sentence of the first one remains.
        raise
    except BaseException as error:
        book.watch.end(name, "failed", _sentence(error))
        raise
    book.watch.end(name, "done" if running.good else "failed", note.detail)


def _sentence(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    return str(error).strip().split("\n", 1)[0] or type(error).__name__


@dataclass
class RunningStep:
    """The running step."""

    book: Book
    name: str
    note: StepNote
    good: bool = True

    def end(self, sentence: str, *, good: bool = True) -> None:
        """Set the result of the step; `good` is False if some nodes failed it: nothing stops, and a resumed run repeats
        the step.
        """
        self.note.detail, self.good = sentence, good
        if not good:
            self.note.state = "failed"

    def nodes(self, outcomes: Mapping[str, tuple[str, str]]) -> None:
        """Record the result of the step for each node: (error, detail); an empty error is success."""
        self.book.ledger.record_nodes(self.book.run, self.name, outcomes)

    def machine(self, kind: str, data: dict[str, Any]) -> None:
        """Handle an event of provisioning."""
        if kind == "note":
            self.book.watch.note(data["text"])
        elif kind in {"machine.done", "machine.failed"}:
            self.book.watch.advance(data["machine"])

    def tasks(self, stream: RoleEventStream, diff: OnDiff | None = None) -> Callable[[str, dict[str, Any]], None]:
        """Handler of onboarding events: roles go to `stream`; `diff` is called with the changes in each file."""

        def event(kind: str, data: dict[str, Any]) -> None:
            if kind == "onboard.task":
                self.book.watch.advance(f"{data['host']}: {data['task']}", int(data["act"]))
            elif kind == "onboard.role":
                stream.add(
                    data["host"], data["role"], data["task"], data["status"], data["seconds"], data["changed"],
                    data["message"],
                )  # fmt: skip
            elif kind == "onboard.wave" and data["waves"] > 1:
                self.book.watch.note(
                    f"wave {data['name']}: {data['hosts']} hosts, {data['bad']} failed ({data['seconds']:.0f} s)"
                )
            elif kind == "onboard.diff" and diff is not None:
                diff(f"{data['host']}: {data['task']}", data["diff"])

        return event

    def answer(self, kind: str, data: dict[str, Any]) -> None:
        """Handle an event of collecting."""
        if kind in {"host", "bmc"}:
            self.book.watch.advance(f"{data['node']} {kind}")
        elif kind == "kept":
            self.book.watch.advance(f"{data['nodes'][-1]} records", len(data["nodes"]))
