"""Turns the events of ansible-runner into a `Recap`, and into events of ours while the play runs.

In: event dictionaries, in the order in which they happen. Out: `Recap`. Pure, apart from the callback. Cut here so that recorded
event streams can be replayed in tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from rackwright.model.inventory import HostRecap, Recap
from rackwright.onboard import diffs

OnEvent = Callable[[str, dict[str, Any]], None]
STATUS = {
    "runner_on_ok": "ok",
    "runner_on_failed": "failed",
    "runner_on_unreachable": "unreachable",
    "runner_on_skipped": "skipped",
}


class Tally:
    """Counts one run.

    Events of ours: ``onboard.play`` (`play`), ``onboard.task`` (`host`, `role`, `task`, `status`) and, in a run with
    `diff`, ``onboard.diff`` (`host`, `task`, `diff`: lines as diff(1) prints them).
    """

    def __init__(self, on_event: OnEvent, last_play: str) -> None:
        """`last_play`: the play that every host must have been in; the plays before it only look at what was asked for."""
        self._on_event = on_event
        self._last_play = last_play
        self._reached: set[str] = set()
        self._failures: dict[str, str] = {}
        self._spans: dict[str, list[tuple[float, float]]] = {}
        self._stats: Mapping[str, Any] | None = None

    @property
    def complete(self) -> bool:
        """True when Ansible came to its end and counted."""
        return self._stats is not None

    def handle(self, event: Mapping[str, Any]) -> bool:
        """Take one event; the form that ansible-runner asks of an event handler (True keeps the event in the artifacts)."""
        kind, data = event.get("event", ""), event.get("event_data", {})
        if kind == "playbook_on_stats":
            self._stats = data
        elif kind == "playbook_on_play_start":
            self._on_event("onboard.play", {"play": data.get("play", "")})
        elif kind in STATUS:
            self._task(STATUS[kind], data)
        return True

    def recap(self, seconds: float, asked: Sequence[str]) -> Recap:
        """The result for the hosts that were `asked`; only after `complete`."""
        assert self._stats is not None
        return Recap(
            hosts={name: self._host(name, self._stats) for name in asked},
            seconds=seconds,
            task_seconds={role: _covered(spans) for role, spans in self._spans.items()},
        )

    def _host(self, name: str, stats: Mapping[str, Any]) -> HostRecap:
        count = {kind: int(stats.get(kind, {}).get(name, 0)) for kind in ("ok", "changed", "dark", "failures")}
        if name not in self._reached and not count["dark"] and not count["failures"]:
            return self._untouched()
        return HostRecap(
            ok=count["ok"],
            changed=count["changed"],
            unreachable=count["dark"],
            failed=count["failures"],
            first_failure=self._failures.get(name, ""),
        )

    def _untouched(self) -> HostRecap:
        """A host that the last play did not reach is not as declared: a role was refused before any host was touched."""
        first = next(iter(self._failures), "")
        why = f"the same rule stopped {first}" if first else "the run ended before its turn"
        return HostRecap(ok=0, changed=0, unreachable=0, failed=1, first_failure=f"not touched: {why}")

    def _task(self, status: str, data: Mapping[str, Any]) -> None:
        host, task = data.get("host", ""), data.get("task", "")
        if data.get("play") == self._last_play:
            self._reached.add(host)
        role = data.get("role") or data.get("play", "")
        if status in ("failed", "unreachable") and not data.get("ignore_errors"):
            self._failures.setdefault(host, f"{task}: {_reason(data.get('res', {}))}")
        if status != "skipped" and data.get("start") and data.get("end"):
            span = (_moment(data["start"]), _moment(data["end"]))
            self._spans.setdefault(role, []).append(span)
        self._on_event("onboard.task", {"host": host, "role": role, "task": task, "status": status})
        lines = diffs.lines(data.get("res", {}))
        if lines:
            self._on_event("onboard.diff", {"host": host, "task": task, "diff": lines})


def _reason(result: Mapping[str, Any]) -> str:
    """One line: a loop hides its reasons in the results of its items."""
    for item in result.get("results", []):
        if item.get("failed") and item.get("msg"):
            return _line(item["msg"])
    crash = str(result.get("module_stderr") or "").strip().splitlines()
    return _line(
        crash[-1] if crash else result.get("msg") or result.get("stderr") or result.get("censored") or "no message"
    )


def _line(text: object) -> str:
    return " ".join(str(text).split()).removeprefix("Task failed: ")


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _covered(spans: list[tuple[float, float]]) -> float:
    """Seconds in which at least one host was at it."""
    total, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return round(total, 3)
