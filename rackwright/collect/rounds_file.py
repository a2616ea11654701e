"""Reads which nodes are tested together, round by round: lines of JSON as ``rackwright isolate --out`` writes them.

Pure; all mistakes are reported together, each with its line.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from rackwright.base.errors import Problem, ProblemsError

Round = list[tuple[str, ...]]
"""The groups of nodes that are tested at the same time."""


def parse_rounds(text: str, place: str, node_names: Collection[str]) -> list[Round]:
    """The rounds in order of their number.

    ProblemsError for a group with unknown nodes, or with a node of another group of the same round.
    """
    rounds: dict[int, Round] = {}
    busy: dict[int, set[str]] = {}
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{place}:{number}"
        try:
            entry: dict[str, Any] = json.loads(line)
            turn, nodes = int(entry["round"]), tuple(str(node) for node in entry["nodes"])
        except (ValueError, KeyError, TypeError):
            problems.append(_problem(where, 'a line with {"round": number, "nodes": [names]}', line[:80]))
            continue
        strangers = [node for node in nodes if node not in node_names]
        again = sorted(busy.setdefault(turn, set()) & set(nodes)) or [name for name in nodes if nodes.count(name) > 1]
        if strangers or not nodes:
            problems.append(_problem(where, "names of nodes of the site", ", ".join(strangers) or "none"))
        elif again:
            problems.append(_problem(where, f"nodes that take part once in round {turn}", ", ".join(again)))
        else:
            busy[turn].update(nodes)
            rounds.setdefault(turn, []).append(nodes)
    if problems or not rounds:
        raise ProblemsError(problems or [_problem(place, "at least one group of nodes", "an empty file")])
    return [rounds[turn] for turn in sorted(rounds)]


def _problem(place: str, expected: str, value: str) -> Problem:
    return Problem(
        place=place,
        path="",
        message="this is no group of nodes that can be tested together",
        expected=expected,
        found=value,
        next_step="write the file anew with `rackwright isolate SITE --out FILE`, or mend the line",
        code="rounds.line",
    )
