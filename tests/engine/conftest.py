from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from rackwright import design, spec
from rackwright.base.workspace import Workspace
from rackwright.model.access import Access, Secret
from rackwright.model.design import Design
from rackwright.provision.result import UpResult, Verb
from rackwright.provision.up import provision_machines
from rackwright.twin.bmc.server import BmcServer
from rackwright.twin.hardware import state
from rackwright.twin.hardware.live import Live
from tests import site_bmcs
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


@pytest.fixture
def bench(tmp_path: Path, example_site: Path) -> Iterator[Bench]:
    if os.geteuid() != 0:
        pytest.skip("BMCs listen on port 443, which needs root")
    site = tmp_path / "site.yaml"
    site.write_text(example_site.read_text().replace("10.64.", f"{loopback_network()}."))
    loaded = spec.load(site)
    expanded = design.expand(loaded.site, loaded.catalog)
    live = Live(state.build(expanded, NODES))
    server = site_bmcs.start(expanded, live, NODES, PASSWORD, tmp_path / "bmc")
    nowhere = Path(os.devnull)
    access = Access("root", nowhere, nowhere, "admin", Secret(PASSWORD), server.ca_file)
    yield Bench(site, expanded, live, access, Workspace(tmp_path / "work"), server)
    server.stop()
