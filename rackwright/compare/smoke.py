"""Shared by the checks of small jobs (a fine-tune, text generation): names of parts that a job knows by index, and
equal digests.

Separate from `loads`, whose parts have serial numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from rackwright.compare.loads import commonest, runs_burns
from rackwright.model.check import Expectation


class Placed(Protocol):
    """An accelerator that a small job knows only by its index."""

    @property
    def device(self) -> int:
        """Index in the order of PCI addresses."""
        ...

    @property
    def product_name(self) -> str:
        """Product name from the runtime."""
        ...


def name(part: Placed) -> str:
    """The name of an accelerator whose serial number a job does not see."""
    return f"GPU {part.device} ({part.product_name})"


def agreement_states(digests: Mapping[str, str | None]) -> dict[str, str | None]:
    """``agrees`` or ``differs`` for each digest, compared with those whose key has the same last word; None stays None.

    Without a majority all differ: one of them is wrong, but it is unknown which.
    """
    common = {ending: commonest(digests, ending) for ending in {key.rsplit(" ", 1)[1] for key in digests}}
    return {
        key: None if value is None else "agrees" if value == common[key.rsplit(" ", 1)[1]] else "differs"
        for key, value in digests.items()
    }


def runs_smoke_jobs(expectation: Expectation) -> bool:
    """Whether there are small jobs on PyTorch for the node's accelerators; for `Check.applies`."""
    return runs_burns(expectation)
