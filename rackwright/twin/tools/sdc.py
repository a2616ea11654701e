"""What ``rackwright-burn patterns`` prints on a node."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.model.evidence.load import Corruption
from rackwright.twin.hardware.performance import burn
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Corruption:
    """Every accelerator that is there."""
    del design
    return burn.corruption(state.machines[node])


def render(record: Corruption) -> bytes:
    """The document that the collector parses to `record`."""
    return json.dumps({"schema": 1, **record.model_dump()}).encode()
