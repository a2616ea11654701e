"""The client against an emulator that others wrote; it has no sessions, ETags, GPUs, adapters or power supplies."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from rackwright.model.access import Access, Secret
from rackwright.redfish import apply, inventory
from tests.patience import PATIENCE
from tests.ports import free_port

from .conftest import desired_machine, read

EMULATOR = Path(sys.executable).parent / "sushy-emulator"
CONFIG = """
SUSHY_EMULATOR_FAKE_DRIVER = True
SUSHY_EMULATOR_LISTEN_IP = "127.0.0.1"
SUSHY_EMULATOR_STATE_DIR = {folder!r}
SUSHY_EMULATOR_FAKE_SYSTEMS = [
    {{"uuid": "da69abcc-dae0-4913-9a7b-d344043097c0", "name": "node1", "power_state": "Off", "nics": []}}
]
"""
NOBODY = Access("", Path("/dev/null"), Path("/dev/null"), "admin", Secret("secret"), None)


@pytest.fixture
def emulator(tmp_path: Path) -> Iterator[str]:
    if not EMULATOR.exists():
        pytest.skip("sushy-emulator is not installed")
    port = free_port()
    config = tmp_path / "emulator.conf"
    config.write_text(CONFIG.format(folder=str(tmp_path)))
    call = [str(EMULATOR), "--config", str(config), "--fake", "-p", str(port)]
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _await(f"http://127.0.0.1:{port}/redfish/v1/Systems")
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.wait()


def _await(url: str) -> None:
    """The emulator makes its database at the first request; parallel first requests trip over each other."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(url) as reply:
                assert reply.status == 200
                return
        except urllib.error.URLError:
            assert time.monotonic() < deadline, "the emulator does not start"
            time.sleep(0.1)


def test_read_boot_and_power(emulator: str) -> None:
    documents, before = asyncio.run(read(emulator, NOBODY))
    assert before.manufacturer == "Sushy Emulator"
    assert before.power_state == "Off"
    assert (before.gpu_models, before.nic_ports, before.psus_total) == ([], [], 0)
    assert inventory.parse_machine(documents) == before

    log: list[str] = []
    observed = asyncio.run(apply.bring_machine(desired_machine(bmc_address=emulator), NOBODY, log.append))
    assert log == ["boots from Pxe once", "is powered on (On)"]
    assert observed.system.power_state == "On"
    assert observed.system.boot_target == "Pxe"
    _, after = asyncio.run(read(emulator, NOBODY))
    assert after.power_state == "On"
