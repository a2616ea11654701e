"""What `dmidecode` lists on a node of the twin."""

from __future__ import annotations

import hashlib

from rackwright.model.design import Design
from rackwright.model.evidence.memory import Dimm, Memory
from rackwright.twin.hardware.parts.system import GIB
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Memory:
    """Every slot with the module in it; an empty one has no speed and no serial number."""
    del design
    return Memory(
        dimms=[
            Dimm(
                slot=one.slot,
                bytes=one.gib * GIB,
                kind="DDR5" if one.gib else "",
                manufacturer="Samsung" if one.gib else "",
                serial=hashlib.sha256(f"{node}/{one.slot}".encode()).hexdigest()[:8].upper() if one.gib else "",
                part="M321R8GA0BB0-CQKZJ" if one.gib else "",
                rated_mts=one.rated_mts if one.gib else None,
                running_mts=one.running_mts if one.gib else None,
            )
            for one in state.machines[node].system.dimms
        ]
    )
