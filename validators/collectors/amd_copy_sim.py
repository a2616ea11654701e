"""Prints what ROCm's tools say in the sections of ``rackwright-burn amd-copy``."""

from rackwright.model.evidence.load import Copies
from rackwright.twin.hardware.performance import amd_text


def render(seen: Copies) -> bytes:
    """The output whose parse is `seen`."""
    return amd_text.copies(seen).encode()
