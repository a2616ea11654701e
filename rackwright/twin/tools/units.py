"""What `systemctl list-units --state=failed` lists on a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.host import SystemdUnits
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import services


def observe(state: State, design: Design, node: str) -> SystemdUnits:
    """Units that a fault names, and the services of the node that are not running, by kind and name as systemctl sorts them."""
    stopped = [name for name, word in services.observe(state, design, node).active.items() if word == "failed"]
    failed = state.machines[node].system.failed_units
    units = {*failed, *(f"{name}.service" for name in stopped)}
    return SystemdUnits(failed=sorted(units, key=lambda name: (name.rpartition(".")[2], name)))


def render(record: SystemdUnits) -> bytes:
    """The lines that the collector parses to `record`."""
    width = max(map(len, record.failed), default=0)
    return "".join(f"{name:<{width}} loaded failed failed What {name} is for\n" for name in record.failed).encode()
