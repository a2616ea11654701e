"""Reads the result of one Ansible task on one host: what each role did in it, and why it failed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

PASSWORD = re.compile(r"missing sudo password|sudo password is required|sudo: a password is required", re.IGNORECASE)
"""What Ansible, Mitogen and sudo say where sudo asks for a password (ansible-core 2.19 and Mitogen 0.3, played 2026-11-26)."""
NO_PASSWORD = (
    "the account must do everything by sudo without a password, and `rackwright preflight SITE` says what to put where"
)


@dataclass(frozen=True)
class RoleResult:
    """What one role did on one host in one act."""

    role: str
    status: str
    """``ok`` or ``failed``, ``unreachable``."""
    seconds: float
    changed: tuple[str, ...]
    message: str = ""
    """Why it failed."""


def by_role(status: str, data: Mapping[str, Any]) -> Iterator[RoleResult]:
    """One result per role of an act; one for the role (or, in none, the task itself) of any other; none for a task that was skipped."""
    result = data.get("res") or {}
    roles = result.get("roles")
    if isinstance(roles, Mapping) and roles:
        failed = _failed_roles(roles) if status == "failed" else {}
        for role, outcome in roles.items():
            why = (failed[role] or failure_reason(result)) if role in failed else ""
            word = "failed" if role in failed else "ok"
            changed = tuple(str(what) for what in outcome.get("changed", ()))
            yield RoleResult(role, word, float(outcome.get("seconds", 0.0)), changed, why)
    elif status != "skipped" and not isinstance(roles, Mapping):
        why = failure_reason(result) if status != "ok" else ""
        changed = (str(data.get("task", "")),) if result.get("changed") else ()
        yield RoleResult(data.get("role") or data.get("task", ""), status, seconds(data), changed, why)


def _failed_roles(roles: Mapping[str, Any]) -> dict[str, str]:
    """The roles that made an act fail, with their problems: those that say so, else the one it stopped at."""
    problems = {role: "; ".join(outcome["problems"]) for role, outcome in roles.items() if outcome.get("problems")}
    return problems or {list(roles)[-1]: ""}


def failure_reason(result: Mapping[str, Any]) -> str:
    """Why a task failed, in one line: a loop hides its reasons in the results of its items."""
    for item in result.get("results", []):
        if isinstance(item, Mapping) and item.get("failed") and item.get("msg"):
            return _line(item["msg"])
    crash = str(result.get("module_stderr") or "").strip().splitlines()
    return _line(
        crash[-1] if crash else result.get("msg") or result.get("stderr") or result.get("censored") or "no message"
    )


def _line(text: object) -> str:
    line = " ".join(str(text).split()).removeprefix("Task failed: ")
    return f"{line}: {NO_PASSWORD}" if PASSWORD.search(line) else line


def task_span(data: Mapping[str, Any]) -> tuple[float, float] | None:
    """When a task began and ended on its host, in seconds since the epoch; None where Ansible does not say."""
    if not data.get("start") or not data.get("end"):
        return None
    began, ended = (datetime.fromisoformat(data[side]).timestamp() for side in ("start", "end"))
    return began, ended


def seconds(data: Mapping[str, Any]) -> float:
    """How long a task took on its host; 0 where Ansible does not say."""
    times = task_span(data)
    return round(times[1] - times[0], 3) if times else 0.0


def covered_seconds(spans: list[tuple[float, float]]) -> float:
    """Seconds in which at least one host was at it."""
    total, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return round(total, 3)
