"""Refuses names that a format cannot hold.

CSV, JSON and YAML quote whatever they are given; net files, host lists and labels have no way to quote.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from rackwright.base.errors import Problem, ProblemsError

SHOWN = 5
"""Names printed at most; the others are counted."""


@dataclass(frozen=True)
class Names:
    """What a format allows as a name."""

    format: str
    pattern: str
    """Regular expression of the whole name."""
    longest: int
    says: str
    """The same in words."""


def require(allowed: Names, columns: Iterable[pl.Series]) -> None:
    """Raise `ProblemsError` for names of `columns` that `allowed` does not allow."""
    names = pl.concat([column.cast(pl.String).unique(maintain_order=True) for column in columns]).drop_nulls().unique()
    fits = names.str.contains(f"^(?:{allowed.pattern})$") & (names.str.len_bytes() <= allowed.longest)
    wrong = names.filter(~fits).sort().to_list()
    if wrong:
        raise ProblemsError(_problem(allowed, name, len(wrong)) for name in wrong[:SHOWN])


def _problem(allowed: Names, name: str, count: int) -> Problem:
    more = f" (one of {count})" if count > 1 else ""
    return Problem(
        place=f"export to {allowed.format}",
        path="",
        message=f"{allowed.format} cannot hold this name{more}",
        expected=f"{allowed.says}, at most {allowed.longest} characters",
        found=repr(name)[:120],
        next_step="rename it in the site, or name the port otherwise in its part of the catalog",
        code="export.name",
    )
