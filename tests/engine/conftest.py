from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rackwright import design, spec
from rackwright.base.workspace import Workspace
from rackwright.model.access import Access, Secret
from rackwright.model.design import Design
from rackwright.provision.result import UpResult, Verb
from rackwright.provision.up import provision_machines
from rackwright.twin import tools
from rackwright.twin.bmc.handler import BmcAccount
from rackwright.twin.bmc.server import BmcServer
from rackwright.twin.hardware import state
from rackwright.twin.hardware.live import Live
from tests.ports import loopback_network

NODES = ["train-001", "train-002", "train-003"]
PASSWORD = "only-for-this-test"


@dataclass
class Bench:
    """Three machines of the example site behind BMCs on loopback addresses."""

    site: Path
    design: Design
    live: Live
    access: Access
    workspace: Workspace
    server: BmcServer

    def run(self, verb: Verb = "up", nodes: list[str] = NODES, **more: Any) -> UpResult:
        return provision_machines(
            self.design, nodes, self.access, self.workspace, site_path=self.site, verb=verb, **more
        )

    def change(self, node: str, **values: Any) -> None:
        self.live.change(node, lambda machine: replace(machine, **values))

    def change_pdu(self, number: int, **values: Any) -> str:
        """Change readings of a PDU of the rack; its name."""
        name = sorted(self.live.state.plant.pdus)[number]
        self.live.change_plant(
            lambda plant: replace(plant, pdus={**plant.pdus, name: replace(plant.pdus[name], **values)})
        )
        return name

    def power(self) -> list[str]:
        return [self.live.machine(node).power_state for node in NODES]


def documents(design: Design, live: Live, name: str) -> dict[str, dict[str, Any]] | None:
    """What the controller of a rack PDU reports; None while it does not answer."""
    try:
        return json.loads(tools.equipment(design, live.state, name))  # type: ignore[no-any-return]
    except tools.Silent:
        return None


@pytest.fixture
def bench(tmp_path: Path, example_site: Path) -> Iterator[Bench]:
    if os.geteuid() != 0:
        pytest.skip("BMCs listen on port 443, which needs root")
    site = tmp_path / "site.yaml"
    site.write_text(example_site.read_text().replace("10.64.", f"{loopback_network()}."))
    loaded = spec.load(site)
    expanded = design.expand(loaded.site, loaded.catalog)
    live = Live(state.build(expanded, NODES))
    addresses = {node: expanded.node(node).bmc_address for node in NODES}
    addresses |= {name: unit.address for name, unit in live.state.plant.units.items()}
    plant = {name: partial(documents, expanded, live, name) for name in live.state.plant.units}
    # On its own addresses alone: another bench listens on port 443 of another loopback network at the same time.
    account = BmcAccount("admin", Secret(PASSWORD))
    server = BmcServer(live, addresses, account, tmp_path / "bmc", plant=plant, listen=addresses.values())
    server.start()
    nowhere = Path(os.devnull)
    access = Access("root", nowhere, nowhere, "admin", Secret(PASSWORD), server.ca_file)
    yield Bench(site, expanded, live, access, Workspace(tmp_path / "work"), server)
    server.stop()
