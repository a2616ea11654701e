"""Prints what ascend-dmi and npu-smi say in the sections of ``rackwright-burn ascend-copy``."""

from rackwright.model.evidence.load import Copies
from rackwright.twin.hardware.performance import ascend_text


def render(seen: Copies) -> bytes:
    """The output whose parse is `seen`."""
    return ascend_text.copies(seen).encode()
