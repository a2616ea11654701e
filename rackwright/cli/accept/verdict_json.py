"""Verdicts as JSON, as `json.dumps` with an indent of two writes them in the output of ``rackwright judge``.

Python's own encoder with an indent takes ten times as long. Text that many nodes share is encoded and joined once: healthy nodes differ only in their
name, the hashes of their evidence and some thirty verdicts.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from json.encoder import encode_basestring_ascii as quoted
from math import isfinite
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from rackwright.model.check import AnyCheck
from rackwright.model.verdict import SUBJECT, Finding

if TYPE_CHECKING:
    from rackwright.judge.engine import Row

BETWEEN = ",\n"
INDENT = "      "
ADVISORY = f'{INDENT}"advisory": true,\n'


class VerdictTexts:
    """Encodes verdicts of `checks`; shared findings are encoded once."""

    def __init__(self, checks: Mapping[str, AnyCheck]) -> None:
        self._quoted_subject = quoted(SUBJECT)[1:-1]
        self._heads = {
            name: f'    {{\n{INDENT}"check": {quoted(name)},\n{INDENT}"target": "{self._quoted_subject}",\n'
            f'{INDENT}"title": {quoted(check.title)},\n{INDENT}"outcome": '
            for name, check in checks.items()
        }
        self._shared: dict[tuple[int, str], tuple[Finding, str]] = {}
        """By finding and check: the shared text, with the finding, so that no other one can take its place in memory."""

    def text(self, row: Row) -> str:
        """The verdict of a row, complete."""
        node, name, finding, raw = row
        text = self.shared_text(name, finding) or self._heads[name] + _fields(finding)
        return f"{text.replace(self._quoted_subject, quoted(node)[1:-1])}{_evidence(raw or '')}"

    def shared_text(self, name: str, finding: Finding) -> str:
        """The verdict of a finding that many nodes share, up to its evidence, with a placeholder for the node; empty for a finding of one node."""
        shared = self._shared.get((id(finding), name))
        if shared is not None:
            return shared[1]
        if SUBJECT not in finding.says:
            return ""
        text = self._heads[name] + _fields(finding)
        self._shared[id(finding), name] = finding, text
        return text

    def template(self, shared_texts: Sequence[str]) -> _Template:
        """A template of verdicts: shared texts lack only their evidence, the others (empty in `shared_texts`) are added complete."""
        words: list[str] = []
        names: list[int] = []
        added: list[int] = []
        for number, text in enumerate(shared_texts):
            before, *after = text.split(self._quoted_subject)
            words.append(BETWEEN + before if number else before)
            for part in after:
                names.append(len(words))
                words += ["", part]
            added.append(len(words))
            words.append("")
        return _Template(words, names, added)


class _Template(NamedTuple):
    """Consecutive verdicts that nodes have in common."""

    words: list[str]
    names: list[int]
    """Places in `words` for the name of the node."""
    added: list[int]
    """Places for what is added, verdict by verdict: its evidence, or all of it."""

    def text(self, quoted_node: str, additions: Sequence[str]) -> str:
        """The text of the verdicts on one node."""
        words = self.words.copy()
        for place in self.names:
            words[place] = quoted_node
        for place, addition in zip(self.added, additions, strict=True):
            words[place] = addition
        return "".join(words)


class NodeTexts:
    """Encodes all verdicts of single checks on a node."""

    def __init__(self, checks: Mapping[str, AnyCheck], fleet: Sequence[str]) -> None:
        """`fleet` are the ids of the checks that compare nodes, in their order."""
        self._texts, self._fleet = VerdictTexts(checks), fleet
        self._templates: dict[tuple[str, ...], list[tuple[slice, _Template]]] = {}
        """By the shared texts of a node, and the check where there is none: the verdicts between fleet checks."""

    def of_node(self, node: str, rows: Sequence[Row]) -> list[str]:
        """Texts of a node's verdicts: one before each fleet check, and one after the last."""
        ordered = sorted(rows, key=itemgetter(1))
        shared_texts = [self._texts.shared_text(name, finding) for _, name, finding, _ in ordered]
        key = tuple([text or row[1] for text, row in zip(shared_texts, ordered, strict=True)])
        if key not in self._templates:
            self._templates[key] = self._between([row[1] for row in ordered], shared_texts)
        additions = [
            _evidence(row[3] or "") if text else self._texts.text(row)
            for text, row in zip(shared_texts, ordered, strict=True)
        ]
        quoted_node = quoted(node)[1:-1]
        return [template.text(quoted_node, additions[place]) for place, template in self._templates[key]]

    def _between(self, names: Sequence[str], shared_texts: Sequence[str]) -> list[tuple[slice, _Template]]:
        cuts = [0, *(bisect_left(names, fleet) for fleet in self._fleet), len(names)]
        places = [slice(start, end) for start, end in pairwise(cuts)]
        return [(place, self._texts.template(shared_texts[place])) for place in places]


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
    if value is None:
        return "null"
    return repr(value) if type(value) is float and isfinite(value) else json.dumps(value)


@lru_cache(maxsize=4096)
def _key(items: tuple[tuple[str, Any], ...]) -> str:
    return json.dumps(dict(items), indent=2).replace("\n", f"\n{INDENT}")


@lru_cache(maxsize=4096)
def _evidence(raw: str) -> str:
    """The last field of a verdict, and the end of the verdict."""
    hashes = ",".join([f"\n{INDENT}  {quoted(content)}" for content in raw.split()])
    return f"[{hashes}\n{INDENT}]\n    }}" if hashes else "[]\n    }"
