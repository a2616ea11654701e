"""Findings for a summary: the same words, as few as the reader needs at first.

In: a verdict, whose sentence often repeats its node, its source and a long list of readings. Out: the sentence with the
first reading only. The full observation always stands beside it or below it.
"""

from __future__ import annotations

from rackwright.model.verdict import Verdict

SEPARATOR = "; "
"""Between the readings of one observation."""


def readings(observed: str) -> list[str]:
    """The readings that an observation lists."""
    return [part for part in observed.split(SEPARATOR) if part]


def brief(verdict: Verdict) -> str:
    """The sentence of `verdict` without its node and source, and with the first reading alone."""
    sentence = verdict.says.removeprefix(f"{verdict.target}: ").removesuffix(f" ({verdict.source})")
    listed = readings(verdict.observed)
    if len(listed) > 1:
        sentence = sentence.replace(verdict.observed, f"{listed[0]} (and {len(listed) - 1} more)")
    first = sentence.partition(" ")[0]
    return sentence[:1].upper() + sentence[1:] if first.isalpha() else sentence  # `mlx5_0` stays as it is
