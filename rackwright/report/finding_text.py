"""Findings for a summary: short versions of their sentences. The full observation is always printed beside or below."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rackwright.model.verdict import Verdict

SEPARATOR = "; "
"""Between the readings of one observation."""
UNREAD = "no reading"
"""The observation if collectors failed; the sentence has the reason of each."""
KIND = re.compile(r"(?<=\bno )([A-Z]\w+)(?= reading\b)", re.IGNORECASE)
"""The record name in a sentence about a missing record."""
NUMBERED = re.compile(r"(.*?)(\d+)")
TEXTS = ("says", "observed", "expected", "source")
MOST_LETTERS = 20_000
"""Characters of one text; a longer tool message would make the report too large to open. The evidence has all of it."""
FEWEST = 3
"""From this many consecutive names on, a range is printed."""


def readings(observed: str) -> list[str]:
    """The readings that an observation lists."""
    return [part for part in observed.split(SEPARATOR) if part]


def brief(verdict: Verdict) -> str:
    """The sentence of `verdict` without its node and source, and with only the first reading."""
    sentence = verdict.says.removeprefix(f"{verdict.target}: ").removesuffix(f" ({verdict.source})")
    listed = readings(verdict.observed)
    if len(listed) > 1:
        sentence = sentence.replace(verdict.observed, f"{listed[0]} (and {len(listed) - 1} more)")
    causes = readings(sentence) if verdict.observed == UNREAD else []
    if len(causes) > 1:
        sentence = f"{causes[0]} (and {len(causes) - 1} more)"
    sentence = KIND.sub(lambda match: re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", match[1]).lower(), sentence)
    first = sentence.partition(" ")[0]
    return sentence[:1].upper() + sentence[1:] if first.isalpha() else sentence  # `mlx5_0` stays as it is


def readable(verdict: Verdict) -> Verdict:
    """The verdict with long texts shortened."""
    long = {name: text for name in TEXTS if len(text := getattr(verdict, name)) > MOST_LETTERS}
    if not long:
        return verdict
    return verdict.model_copy(update={name: f"{text[:MOST_LETTERS]}…" for name, text in long.items()})


def names_text(names: Sequence[str]) -> str:
    """Names with commas; three or more consecutive numbers as a range: ``train-001 to train-008, ufm-01``."""
    rows: list[list[str]] = []
    for name in names:
        if rows and _follows(rows[-1][-1], name):
            rows[-1].append(name)
        else:
            rows.append([name])
    ranges = [f"{row[0]} to {row[-1]}" if len(row) >= FEWEST else ", ".join(row) for row in rows]
    return ", ".join(ranges)


def _follows(name: str, after: str) -> bool:
    first, second = NUMBERED.fullmatch(name), NUMBERED.fullmatch(after)
    if first is None or second is None or first[1] != second[1]:
        return False
    return int(second[2]) == int(first[2]) + 1
