"""Prints collectives as rccl-tests does, with the debug lines that prove their paths."""

from rackwright.twin.performance import nccl_text

from rackwright.model.evidence.collective import NodeCollectives


def render(seen: NodeCollectives) -> bytes:
    """The output whose parse is `seen`."""
    return nccl_text.text(seen.results).encode()
