"""What ``rackwright-burn hbm`` prints on a node."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.model.evidence.load import MemoryBandwidth
from rackwright.twin.hardware.performance import burn, model
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> MemoryBandwidth:
    """Every accelerator that is there."""
    return burn.memory(state, model.expectation(design, node), state.machines[node])


def render(record: MemoryBandwidth) -> bytes:
    """The document that the collector parses to `record`."""
    return json.dumps({"schema": 1, **record.model_dump()}).encode()
