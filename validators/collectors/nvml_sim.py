"""Prints accelerators as the probe does."""

from rackwright.model.evidence.accelerator import Accelerators


def render(seen: Accelerators) -> bytes:
    """The document whose parse is `seen`."""
    return seen.model_dump_json().encode()
