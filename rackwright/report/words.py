"""Findings for a summary: the same words, as few as the reader needs at first.

The full observation always stands beside it or below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rackwright.model.verdict import Verdict

SEPARATOR = "; "
"""Between the readings of one observation."""
UNREAD = "no reading"
"""What was observed where collectors failed; why each of them did stands in the sentence."""
KIND = re.compile(r"(?<=\bno )([A-Z]\w+)(?= reading\b)", re.IGNORECASE)
"""The name of a record in a sentence about one that is not there."""
NUMBERED = re.compile(r"(.*?)(\d+)")
TEXTS = ("says", "observed", "expected", "source")
MOST_LETTERS = 20_000
"""Of one text; what a tool says without end would make the report too large to be opened, and stands whole in the evidence."""
FEWEST = 3
"""Names in a row from which on the first and the last say as much."""


def readings(observed: str) -> list[str]:
    """The readings that an observation lists."""
    return [part for part in observed.split(SEPARATOR) if part]


def brief(verdict: Verdict) -> str:
    """The sentence of `verdict` without its node and source, and with the first reading alone."""
    sentence = verdict.says.removeprefix(f"{verdict.target}: ").removesuffix(f" ({verdict.source})")
    listed = readings(verdict.observed)
    if len(listed) > 1:
        sentence = sentence.replace(verdict.observed, f"{listed[0]} (and {len(listed) - 1} more)")
    causes = readings(sentence) if verdict.observed == UNREAD else []
    if len(causes) > 1:
        sentence = f"{causes[0]} (and {len(causes) - 1} more)"
    sentence = KIND.sub(lambda found: re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", found[1]).lower(), sentence)
    first = sentence.partition(" ")[0]
    return sentence[:1].upper() + sentence[1:] if first.isalpha() else sentence  # `mlx5_0` stays as it is


def readable(verdict: Verdict) -> Verdict:
    """The verdict with texts that somebody can read through."""
    long = {name: text for name in TEXTS if len(text := getattr(verdict, name)) > MOST_LETTERS}
    if not long:
        return verdict
    return verdict.model_copy(update={name: f"{text[:MOST_LETTERS]}…" for name, text in long.items()})


def several(names: Sequence[str]) -> str:
    """Names with commas; three and more with numbers in a row as a range: ``train-001 to train-008, ufm-01``."""
    rows: list[list[str]] = []
    for name in names:
        if rows and _follows(rows[-1][-1], name):
            rows[-1].append(name)
        else:
            rows.append([name])
    told = [f"{row[0]} to {row[-1]}" if len(row) >= FEWEST else ", ".join(row) for row in rows]
    return ", ".join(told)


def _follows(name: str, after: str) -> bool:
    one, other = NUMBERED.fullmatch(name), NUMBERED.fullmatch(after)
    if one is None or other is None or one[1] != other[1]:
        return False
    return int(other[2]) == int(one[2]) + 1
