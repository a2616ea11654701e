"""What ``rackwright-burn neighbours`` prints on a node."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.model.evidence.load import Copies, Copy
from rackwright.model.evidence.tenancy import Neighbours
from rackwright.twin.hardware.performance import copies, model
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Failed, nvbandwidth

ANSWERED = True
CANNOT = 3
"""Exit status of rackwright-burn for a test that cannot run here."""


def observe(state: State, design: Design, node: str) -> Neighbours:
    """The copies of the first half of the accelerators that are there."""
    machine = state.machines[node]
    half = len(model.working(machine)) // 2
    if not half:
        raise Failed(CANNOT, "rackwright-burn: the only accelerator of this node has no neighbour")
    every = copies.copies(state, model.expectation(design, node), machine, "")
    alone = [
        copy
        for copy in every.copies
        if copy.direction != "device_to_device" and (copy.source if copy.target is None else copy.target) < half  # type: ignore[operator]
    ]
    share = machine.performance.kept_beside
    beside = [_slower(copy, share * model.noise(state, node, str(index))) for index, copy in enumerate(alone)]
    return Neighbours(tool=every.tool, alone=alone, beside=beside)


def _slower(copy: Copy, share: float) -> Copy:
    return copy.model_copy(update={"gbytes_per_s": round(copy.gbytes_per_s * share, 2)})


def render(record: Neighbours) -> bytes:
    """The two reports that the collector parses to `record`."""
    reports = {
        name: json.loads(nvbandwidth.render(Copies(tool=record.tool, driver_version="", copies=part)))
        for name, part in (("alone", record.alone), ("beside", record.beside))
    }
    return json.dumps(reports).encode()
