"""BMCs of machines of a site, and the controllers of what feeds and cools them, without hosts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rackwright.model.access import Secret
from rackwright.model.design import Design
from rackwright.twin import tools
from rackwright.twin.bmc.handler import BmcAccount
from rackwright.twin.bmc.server import BmcServer
from rackwright.twin.hardware.live import Live


def start(design: Design, live: Live, nodes: Sequence[str], password: str, folder: Path) -> BmcServer:
    """Serve them on the addresses of `design` alone, with the account ``admin``: another site may listen on port 443 of other ones at the same time."""
    units = live.state.plant.units
    addresses = {node: design.node(node).bmc_address for node in nodes}
    addresses |= {name: unit.address for name, unit in units.items()}
    plant = {name: partial(_documents, design, live, name) for name in units}
    account = BmcAccount("admin", Secret(password))
    server = BmcServer(live, addresses, account, folder, plant=plant, listen=addresses.values())
    server.start()
    return server


def _documents(design: Design, live: Live, name: str) -> dict[str, dict[str, Any]] | None:
    """What the controller of a rack PDU reports; None while it does not answer."""
    try:
        reported: dict[str, dict[str, Any]] = json.loads(tools.equipment(design, live.state, name))
    except tools.Silent:
        return None
    return reported
