"""Prints what ``rackwright-burn hbm`` does."""

import json

from rackwright.model.evidence.load import MemoryBandwidth


def render(seen: MemoryBandwidth) -> bytes:
    """The document whose parse is `seen`."""
    return json.dumps({"schema": 1, **seen.model_dump()}).encode()
