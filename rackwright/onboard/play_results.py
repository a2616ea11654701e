"""Turns the events of ansible-runner into a `Recap`, and into rackwright's events while the play runs.

Pure, apart from
the callback.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from threading import Lock
from typing import Any

from rackwright.model.inventory import HostRecap, Recap, RoleRecap
from rackwright.onboard import diffs, results

OnEvent = Callable[[str, dict[str, Any]], None]
STATUS = {
    "runner_on_ok": "ok",
    "runner_on_failed": "failed",
    "runner_on_unreachable": "unreachable",
    "runner_on_skipped": "skipped",
}
COUNTS = ("ok", "changed", "dark", "failures")


class PlayResults:
    """Counts one run.

    It emits the events ``onboard.play`` (`play`), ``onboard.task`` (`host`, `role`, `task`, `status`, `act`: whether it counts as one of
    the acts of the plan), ``onboard.role`` (`host`, `role`, `task`, `status`, `seconds`, `changed`: texts, `message`) and, in a run
    with `diff`, ``onboard.diff`` (`host`, `task`, `diff`: lines as diff(1) prints them).
    """

    def __init__(self, on_event: OnEvent, last_play: str, acts: Collection[str] = ()) -> None:
        """`last_play`: the play that every host must have been in; the plays before it only check the inputs.

        `acts`: names of the tasks of that play that every host has exactly once.
        """
        self._on_event = on_event
        self._last_play = last_play
        self._acts = frozenset(acts)
        self._lock = Lock()
        self._reached: set[str] = set()
        self._failures: dict[str, str] = {}
        self._reboots: dict[str, tuple[str, ...]] = {}
        self._rebooted: set[str] = set()
        self._roles: dict[str, dict[str, RoleRecap]] = {}
        self._spans: dict[str, list[tuple[float, float]]] = {}
        self._stats: dict[str, dict[str, int]] = {kind: {} for kind in COUNTS}
        self._ended = False

    @property
    def complete(self) -> bool:
        """True when Ansible came to its end and counted."""
        return self._ended

    def counted(self, host: str) -> bool:
        """True when an Ansible that played `host` came to its end."""
        return any(host in counts for counts in self._stats.values())

    def handle(self, event: Mapping[str, Any]) -> bool:
        """Take one event; the form that ansible-runner asks of an event handler: True keeps the event in the artifacts.

        That a task begins on a host is not kept: it is half of all events, and its end says the same.
        """
        kind, data = event.get("event", ""), event.get("event_data", {})
        with self._lock:
            if kind == "playbook_on_stats":
                self._count(data)
            elif kind == "playbook_on_play_start":
                self._on_event("onboard.play", {"play": data.get("play", "")})
            elif kind in STATUS:
                self._task(STATUS[kind], data)
        return bool(kind != "runner_on_start")

    def lost(self, host: str, why: str, *, unreachable: bool) -> None:
        """A host whose worker never came to an end, and why."""
        with self._lock:
            self._reached.add(host)
            self._failures.setdefault(host, why)
            self._stats["dark" if unreachable else "failures"][host] = 1
            self._ended = True
            status = "unreachable" if unreachable else "failed"
            self._report_task(host, "", results.RoleResult("connection", status, 0.0, (), why))

    def recap(self, seconds: float, hosts: Sequence[str]) -> Recap:
        """The result for the hosts that were `asked`; only after `complete`."""
        assert self._ended
        return Recap(hosts={name: self._host(name) for name in hosts}, seconds=seconds, task_seconds=self._seconds())

    def _seconds(self) -> dict[str, float]:
        """By role: wall time of its tasks, and where roles speak for themselves, that of the slowest host."""
        seconds = {role: results.covered_seconds(spans) for role, spans in self._spans.items()}
        for roles in self._roles.values():
            for role, recap in roles.items():
                seconds[role] = max(seconds.get(role, 0.0), recap.seconds)
        return seconds

    def _host(self, name: str) -> HostRecap:
        count = {kind: self._stats[kind].get(name, 0) for kind in COUNTS}
        reached = name in self._reached
        if not reached and not count["dark"] and not count["failures"]:
            return self._untouched_host()
        return HostRecap(
            ok=count["ok"],
            changed=count["changed"],
            unreachable=count["dark"],
            failed=count["failures"],
            first_failure=self._failures.get(name, ""),
            attempts=int(reached),
            reboot=self._reboots.get(name, ()),
            rebooted=name in self._rebooted,
            roles=self._roles.get(name, {}),
        )

    def _untouched_host(self) -> HostRecap:
        """A host that the last play did not reach is not as declared: a role was refused before any host was touched."""
        first = next(iter(self._failures), "")
        why = f"the same rule stopped {first}" if first else "the run ended before its turn"
        return HostRecap(ok=0, changed=0, unreachable=0, failed=1, first_failure=f"not touched: {why}", attempts=0)

    def _count(self, data: Mapping[str, Any]) -> None:
        self._ended = True
        for kind in COUNTS:
            for host, number in data.get(kind, {}).items():
                self._stats[kind][host] = int(number)

    def _task(self, status: str, data: Mapping[str, Any]) -> None:
        host, task, result = data.get("host", ""), data.get("task", ""), data.get("res") or {}
        last = data.get("play") == self._last_play
        if last:
            self._reached.add(host)
        ignored = status == "failed" and bool(data.get("ignore_errors"))
        if status in ("failed", "unreachable") and not ignored:
            self._failures.setdefault(host, f"{task}: {results.failure_reason(result)}")
        self._note_reboot(host, result)
        role = data.get("role") or task
        event = {"host": host, "role": role, "task": task, "status": status}
        self._on_event("onboard.task", {**event, "act": last and task in self._acts})
        if result.get("as_declared"):  # the play leaves the host here
            for act in self._acts - {task}:
                self._on_event("onboard.task", {**event, "task": act, "status": "skipped", "act": True})
        self._time(status, role, data)
        for result_of_role in results.by_role("ok" if ignored else status, data):
            self._report_task(host, task, result_of_role)
        lines = diffs.lines(result)
        if lines:
            self._on_event("onboard.diff", {"host": host, "task": task, "diff": lines})

    def _time(self, status: str, role: str, data: Mapping[str, Any]) -> None:
        """Tasks of a role count as wall time; an act that speaks for many roles counts by what each of them says."""
        times = results.task_span(data)
        if status != "skipped" and times and not isinstance((data.get("res") or {}).get("roles"), Mapping):
            self._spans.setdefault(role, []).append(times)

    def _report_task(self, host: str, task: str, result: results.RoleResult) -> None:
        if task:
            mine = self._roles.setdefault(host, {})
            earlier = mine.get(result.role, RoleRecap())
            seconds, changed = round(earlier.seconds + result.seconds, 3), (*earlier.changed, *result.changed)
            mine[result.role] = RoleRecap(seconds=seconds, changed=changed)
        self._on_event("onboard.role", {"host": host, "task": task, **vars(result)})

    def _note_reboot(self, host: str, result: Mapping[str, Any]) -> None:
        """Reasons are fresh facts: the last word counts, and a reboot settles those before it."""
        facts = result.get("ansible_facts")
        if isinstance(facts, Mapping) and "rackwright_reboot_reasons" in facts:
            self._reboots[host] = tuple(str(why) for why in facts["rackwright_reboot_reasons"])
        if result.get("rebooted"):
            self._rebooted.add(host)
            self._reboots.pop(host, None)
