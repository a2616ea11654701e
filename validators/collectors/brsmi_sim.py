"""Prints accelerators as `brsmi gpu --query-gpu=... --format=csv,noheader,nounits` does."""

from rackwright.model.evidence.accelerator import Accelerators

MIB = 2**20


def render(seen: Accelerators) -> bytes:
    """The lines whose parse is `seen`; memory must be whole MiB."""
    rows = [f"{one.index}, {one.product_name}, {one.uuid}, {one.memory_total_bytes // MIB}\n" for one in seen.devices]
    return "".join(rows).encode()
