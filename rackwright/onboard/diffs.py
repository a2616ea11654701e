"""Turns the differences that Ansible's modules report into lines as diff(1) prints them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import unified_diff
from typing import Any


def lines(result: Mapping[str, Any]) -> list[str]:
    """All differences of one task on one host."""
    return [line for entry in _entries(result) for line in _diff_lines(entry)]


def _entries(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    entries = result.get("diff") or []
    yield from [entries] if isinstance(entries, Mapping) else entries
    for item in result.get("results", []):
        if isinstance(item, Mapping):
            yield from _entries(item)


def _diff_lines(entry: Mapping[str, Any]) -> list[str]:
    if "prepared" in entry:
        return str(entry["prepared"]).splitlines()
    before, after = (_text(entry.get(side)) for side in ("before", "after"))
    if before == after:
        return []
    names = (str(entry.get("before_header") or "before"), str(entry.get("after_header") or "after"))
    return list(unified_diff(before, after, *names, n=1, lineterm=""))


def _text(value: object) -> list[str]:
    """Modules for files report text, modules for states report a mapping."""
    if isinstance(value, Mapping):
        return [f"{key}: {value[key]}" for key in sorted(value)]
    return str(value or "").splitlines()
