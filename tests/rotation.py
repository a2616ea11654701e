"""Which of equal rows CI plays where each costs seconds: others for every tree, so that over time each has its turn; all with ``RACKWRIGHT_TOURS=all`` (`make tours`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

from tests.matrix.rows import tree_digest

Row = TypeVar("Row")


def of_this_run(rows: Sequence[Row], count: int, *, every: int = 1) -> list[Row]:
    """`count` of `rows`, in their order, by the digest of the tree; `every`: of rows that only one of so many trees plays."""
    if os.environ.get("RACKWRIGHT_TOURS") == "all":
        return list(rows)
    turn = int(tree_digest(), 16) // every
    chosen = {(turn + number) % len(rows) for number in range(count)}
    return [row for number, row in enumerate(rows) if number in chosen]
