"""The machines of a trial as a process of their own: BMCs whose changes are on the disk before they are answered, so that a killed one goes on, and what
boots when they are switched on.

Usage: python -m benchmarks.killing.twin SITE FOLDER PASSWORD_VARIABLE NODE...
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from benchmarks.killing.network_boot import RackedMachine
from benchmarks.killing.wiring import MACHINE_PORT
from rackwright import design, spec
from rackwright.install import machines_file
from rackwright.model.design import Design
from rackwright.twin.hardware import state
from rackwright.twin.hardware.live import Live
from rackwright.twin.hardware.state import State, TwinMachine
from tests import site_bmcs

MACHINES, SWITCHED = "machines.pickle", "switched.jsonl"


class KeptLive(Live):
    """A state whose machines are kept in a folder, and each switch of their power in a file beside them."""

    def __init__(self, began: State, folder: Path) -> None:
        file = folder / MACHINES
        machines = pickle.loads(file.read_bytes()) if file.exists() else {}  # noqa: S301 - its own file
        super().__init__(replace(began, machines={**began.machines, **machines}))
        self._folder, self._writing = folder, threading.Lock()

    def change(self, node: str, change: Callable[[TwinMachine], TwinMachine]) -> TwinMachine:
        """As `Live`, and kept when it returns."""
        with self._writing:
            before = self.machine(node)
            after = super().change(node, change)
            if after.power_state != before.power_state:
                with (self._folder / SWITCHED).open("a") as stream:
                    stream.write(json.dumps([node, after.power_state]) + "\n")
            draft = self._folder / f"{MACHINES}.new"
            draft.write_bytes(pickle.dumps(dict(self.state.machines)))
            draft.rename(self._folder / MACHINES)
        return after


def serve(site: Path, folder: Path, password: str, nodes: list[str]) -> None:
    """Serve the BMCs of `nodes`, all switched off but the first, until the process ends; writes the CA's path to ``ready``."""
    loaded = spec.load(site)
    expanded = design.expand(loaded.site, loaded.catalog)
    began = state.build(expanded, nodes)
    for node in nodes[1:]:
        began = began.with_machine(node, lambda machine: replace(machine, power_state="Off"))
    live = KeptLive(began, folder)
    booting = {machine.node: machine for machine in racked(expanded, site.parent / "machines.csv", nodes[1:], folder)}
    live.on_power(lambda node, on: _boot(booting[node]) if on else None)
    server = site_bmcs.start(expanded, live, nodes, password, folder / "bmc")
    (folder / "ready").write_text(str(server.ca_file))
    for node, machine in booting.items():
        if live.machine(node).power_state == "On":  # it was on when this process was killed: as after a power failure
            _boot(machine)
    threading.Event().wait()


def racked(design: Design, list_of_machines: Path, nodes: list[str], folder: Path) -> list[RackedMachine]:
    """The machines as the list has them."""
    names = [node.name for node in design.nodes()]
    declared = machines_file.read(list_of_machines.read_text(), str(list_of_machines), names)
    return [
        RackedMachine(
            node, design.node(node).inband_address, MACHINE_PORT,
            {"serial": declared[node].serial, "uuid": declared[node].uuid, "mac": declared[node].mac, "hostname": node},
            folder,
        )
        for node in nodes
    ]  # fmt: skip


def _boot(machine: RackedMachine) -> None:
    threading.Thread(target=machine.boot, name=machine.node, daemon=True).start()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), Path(sys.argv[2]), os.environ[sys.argv[3]], sys.argv[4:])
