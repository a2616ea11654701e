"""Prints what ``rackwright-burn patterns`` does."""

import json

from rackwright.model.evidence.load import Corruption


def render(seen: Corruption) -> bytes:
    """The document whose parse is `seen`."""
    return json.dumps({"schema": 1, **seen.model_dump()}).encode()
