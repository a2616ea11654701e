"""Prints what ascend-dmi and npu-smi say in the sections of ``rackwright-burn ascend-gemm``."""

from rackwright.model.evidence.load import Burn
from rackwright.twin.hardware.performance import ascend_text


def render(seen: Burn) -> bytes:
    """The output whose parse is `seen`."""
    return ascend_text.burn(seen).encode()
