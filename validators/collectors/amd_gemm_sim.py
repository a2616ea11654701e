"""Prints what ROCm's tools say in the sections of ``rackwright-burn amd-gemm``."""

from rackwright.model.evidence.load import Burn
from rackwright.twin.hardware.performance import amd_text


def render(seen: Burn) -> bytes:
    """The output whose parse is `seen`."""
    return amd_text.burn(seen).encode()
