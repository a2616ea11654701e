"""Prints collectives as nccl-tests does, with the debug lines that prove their paths."""

from rackwright.model.evidence.collective import NodeCollectives
from rackwright.twin.hardware.performance import nccl_text


def render(seen: NodeCollectives) -> bytes:
    """The output whose parse is `seen`."""
    return nccl_text.text(seen.results).encode()
