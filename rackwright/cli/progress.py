"""Displays a long run: a line per step, and a progress bar on a terminal."""

from __future__ import annotations

import time
from textwrap import shorten
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from rackwright.base.terminal_text import as_line

MARKS = {"done": "[green]✓[/]", "failed": "[red]✗[/]", "resumed": "[cyan]↻[/]"}
LAST = 52
"""Characters of the latest event that fit beside the bar on 120 columns."""


class _Count(ProgressColumn):
    """Number of finished units of the step, and the total if known."""

    def render(self, task: Task) -> Text:
        """``3/8``, ``51``, or nothing before the first."""
        done = f"{task.completed:.0f}"
        if task.total is None:
            return Text(done if task.completed else "")
        return Text(f"{done}/{task.total:.0f}")


class StepProgress:
    """Displays numbered steps; implements `pipeline.Watcher`. Writes to standard error; standard output stays data."""

    def __init__(self, steps: list[str], *, quiet: bool = False) -> None:
        self._console = Console(stderr=True, highlight=False, quiet=quiet, soft_wrap=True)
        self._steps = steps
        self._started = time.monotonic()
        self._bar = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=30), _Count(),
            TextColumn("[dim]{task.fields[last]}"), TimeElapsedColumn(), console=self._console, transient=True,
            disable=not self._console.is_terminal,
        )  # fmt: skip
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def start(self, step: str, total: int | None = None) -> None:
        """A step begins; `total` is the number of units it will report, None if unknown."""
        self._started = time.monotonic()
        self._forget_bar()
        self._task = self._bar.add_task(self._label(step), total=total, last="")

    def advance(self, text: str, count: int = 1) -> None:
        """`count` more units of the running step are done; `text` says which."""
        if self._task is not None:
            self._bar.update(self._task, advance=count, last=shorten(as_line(text), LAST, placeholder=" …"))

    def end(self, step: str, outcome: str, sentence: str) -> None:
        """The step is over: ``done``, ``failed`` or ``resumed``, with a one-sentence summary."""
        self._forget_bar()
        seconds = time.monotonic() - self._started
        self._console.print(
            f"{MARKS[outcome]} {self._label(step)} {escape(as_line(sentence))} [dim]({seconds:.1f} s)[/]"
        )

    def note(self, sentence: str) -> None:
        """A remark that belongs to the running step."""
        self._console.print(f"    [dim]{escape(as_line(sentence))}[/]")

    def _forget_bar(self) -> None:
        if self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None

    def _label(self, step: str) -> str:
        """The step with its number; a verb that runs a single step has none."""
        place = f"{self._steps.index(step) + 1}/{len(self._steps)} " if step in self._steps else ""
        return f"[bold]{place}{step:<10}[/]"
