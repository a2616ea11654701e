"""Collectives as the tools print them."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.model.evidence.collective import Collective
from rackwright.twin.guest.products import nccl_text


def text(results: Sequence[Collective]) -> str:
    """The output of one run after the other."""
    return nccl_text.text([result.model_dump() for result in results])
