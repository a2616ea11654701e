"""One verdict as JSON, as `json.dumps` with an indent of two writes it among the verdicts of ``rackwright judge``.

Python's own encoder with an indent takes ten times as long, and findings that many nodes share are encoded once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import TYPE_CHECKING, Any

from rackwright.model.check import AnyCheck
from rackwright.model.verdict import Finding

if TYPE_CHECKING:
    from rackwright.judge.engine import Row

INDENT = "      "
ADVISORY = f'{INDENT}"advisory": true,\n'


class VerdictTexts:
    """Texts of verdicts by `checks`."""

    def __init__(self, checks: Mapping[str, AnyCheck]) -> None:
        from rackwright.judge.judgement import full_finding  # heavy; --help does not need it
        from rackwright.judge.node_view import SUBJECT

        self._full_finding, self._subject = full_finding, SUBJECT
        self._quoted_subject = quoted(SUBJECT)[1:-1]
        self._heads = {
            name: f'    {{\n{INDENT}"check": {quoted(name)},\n{INDENT}"target": "{self._quoted_subject}",\n'
            f'{INDENT}"title": {quoted(check.title)},\n{INDENT}"outcome": '
            for name, check in checks.items()
        }
        self._shared: dict[tuple[int, str], tuple[Finding, str]] = {}
        """With the finding, so that no other one can take its place in memory."""

    def full(self, row: Row) -> Row:
        """The row with its finding in full."""
        node, name, finding, raw = row
        return node, name, self._full_finding(self._subject, name, finding), raw

    def text(self, row: Row) -> str:
        """The verdict of a row whose finding is in full."""
        node, name, finding, raw = row
        shared = self._shared.get((id(finding), name))
        if shared is None:
            text = self._heads[name] + _fields(finding)
            if self._subject in finding.says:  # many nodes share it; others are of one node
                self._shared[id(finding), name] = finding, text
        else:
            text = shared[1]
        return f"{text.replace(self._quoted_subject, quoted(node)[1:-1])}{_evidence(raw or '')}\n    }}"


def _fields(finding: Finding) -> str:
    """All fields of a finding as lines of a JSON object, from the value of its outcome on."""
    # By name: an attribute of a record takes longer than the text of it.
    of = finding.__dict__
    return (
        f'{quoted(of["outcome"])},\n{INDENT}"observed": {quoted(of["observed"])},\n'
        f'{INDENT}"expected": {quoted(of["expected"])},\n{INDENT}"source": {quoted(of["source"])},\n'
        f'{INDENT}"says": {quoted(of["says"])},\n{INDENT}"next_step": {quoted(of["next_step"])},\n'
        f'{INDENT}"value": {_number(of["value"])},\n{INDENT}"unit": {quoted(of["unit"])},\n'
        f'{INDENT}"limit": {_number(of["limit"])},\n{INDENT}"metric": {quoted(of["metric"])},\n'
        f'{INDENT}"key": {_key(tuple(of["key"].items()))},\n{ADVISORY if of["advisory"] else ""}{INDENT}"evidence": '
    )


def _number(value: float | None) -> str:
    return "null" if value is None else json.dumps(value)


@lru_cache(maxsize=4096)
def _key(items: tuple[tuple[str, Any], ...]) -> str:
    return json.dumps(dict(items), indent=2).replace("\n", f"\n{INDENT}")


@lru_cache(maxsize=4096)
def _evidence(raw: str) -> str:
    hashes = ",".join([f"\n{INDENT}  {quoted(content)}" for content in raw.split()])
    return f"[{hashes}\n{INDENT}]" if hashes else "[]"
