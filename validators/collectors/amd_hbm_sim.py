"""Prints what ROCm's tools say in the sections of ``rackwright-burn amd-hbm``."""

from rackwright.model.evidence.load import MemoryBandwidth
from rackwright.twin.hardware.performance import amd_text


def render(seen: MemoryBandwidth) -> bytes:
    """The output whose parse is `seen`."""
    return amd_text.memory(seen).encode()
