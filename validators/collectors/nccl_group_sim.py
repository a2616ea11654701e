"""Prints collectives over several nodes as nccl-tests does, with the debug lines that prove their paths."""

from rackwright.model.evidence.collective import Collectives
from rackwright.twin.hardware.performance import nccl_text


def render(seen: Collectives) -> bytes:
    """The output whose parse is `seen`."""
    return nccl_text.text(seen.results).encode()
