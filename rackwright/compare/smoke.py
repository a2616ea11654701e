"""What checks of small jobs (a fine-tune, text generation) share: names of parts that a job knows by index, digests that must agree.

Beside `loads`, whose parts have serials.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from rackwright.compare.loads import commonest, runs_burns
from rackwright.model.check import Expectation


class Placed(Protocol):
    """An accelerator that a small job knows by its index alone."""

    @property
    def device(self) -> int:
        """Index by place on the bus."""
        ...

    @property
    def product_name(self) -> str:
        """What the runtime calls it."""
        ...


def name(part: Placed) -> str:
    """The name of an accelerator whose serial a job does not see."""
    return f"GPU {part.device} ({part.product_name})"


def agreement_states(digests: Mapping[str, str | None]) -> dict[str, str | None]:
    """``agrees`` or ``differs`` for each digest, beside those whose key ends with the same word; None stays None.

    Where no digest has a majority all differ: somebody is wrong, and nobody can say who.
    """
    common = {ending: commonest(digests, ending) for ending in {key.rsplit(" ", 1)[1] for key in digests}}
    return {
        key: None if value is None else "agrees" if value == common[key.rsplit(" ", 1)[1]] else "differs"
        for key, value in digests.items()
    }


def runs_smoke_jobs(expectation: Expectation) -> bool:
    """Whether the small jobs on PyTorch are known for its accelerators; for `Check.applies`."""
    return runs_burns(expectation)
