"""Prints what ascend-dmi and npu-smi say in the sections of ``rackwright-burn ascend-hbm``."""

from rackwright.model.evidence.load import MemoryBandwidth
from rackwright.twin.hardware.performance import ascend_text


def render(seen: MemoryBandwidth) -> bytes:
    """The output whose parse is `seen`."""
    return ascend_text.memory(seen).encode()
