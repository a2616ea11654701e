from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rackwright.model.access import Access, Secret
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.resource import Machine as Wanted
from rackwright.redfish import crawl, inventory
from rackwright.redfish.client import Client
from rackwright.redfish.crawler import Documents
from rackwright.twin.bmc.handler import BmcAccount
from rackwright.twin.bmc.server import BmcServer
from rackwright.twin.hardware.live import Live
from rackwright.twin.hardware.state import Gpu, MachinePort, State, TwinMachine
from tests.ports import free_port

PORT = free_port()
PASSWORD = "correct horse"


async def read(address: str, access: Access) -> tuple[Documents, BmcEvidence]:
    """Everything that the BMC at `address` reports: its documents, and the record parsed from them."""
    async with Client(address, access) as client:
        documents = await crawl.crawl_machine(client)
    return documents, inventory.parse_machine(documents)


def gpu(index: int) -> Gpu:
    return Gpu(
        index=index, uuid=f"GPU-{index:08d}-0000-4000-8000-000000000000", serial=f"165302{index}",
        product_name="NVIDIA H100 80GB HBM3", pci_bus_id=f"00000000:{0x1B + index:02x}:00.0", vbios="96.00.89.00.01",
        memory_bytes=80 * 2**30, pcie_generation=5, pcie_width=16, nvlinks=(True,) * 18, power_limit_watts=700,
    )  # fmt: skip


def machine(name: str = "train-001", **changes: object) -> TwinMachine:
    values = {
        "node": name, "role": "accelerator", "manufacturer": "NVIDIA", "model": "DGX H100", "serial": "1A2B",
        "bios_version": "1.6.7", "bmc_version": "24.09.17", "power_state": "On", "cpu_count": 2, "memory_gib": 2048,
        "gpus": tuple(gpu(i) for i in range(8)),
        "nics": (
            MachinePort("mlx5_0", "compute", "0xb83fd20312345678", "b8:3f:d2:00:00:01"),
            MachinePort("eth0", "inband", "0xb83fd20312345679", "b8:3f:d2:00:00:02"),
        ),
        "psus_total": 6, "psus_ok": 6,
    }  # fmt: skip
    return TwinMachine(**{**values, **changes})  # type: ignore[arg-type]


def desired_machine(**changes: object) -> Wanted:
    values = {
        "name": "train-001", "bmc_address": f"127.0.0.11:{PORT}", "model": "DGX H100", "manufacturer": "NVIDIA",
        "gpu_count": 8, "gpu_model": "NVIDIA H100 80GB HBM3", "memory_gib": 2048, "cpu_count": 2, "nic_count": 2,
        "boot_target": "Pxe", "boot_once": True, "power": "On",
    }  # fmt: skip
    return Wanted(**{**values, **changes})  # type: ignore[arg-type]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., tuple[Live, Access]]]:
    """Serves machines as BMCs on 127.0.0.11, 127.0.0.12, ...; gives the live state and the way in."""
    servers: list[BmcServer] = []

    def start(*machines: TwinMachine, password: str = PASSWORD) -> tuple[Live, Access]:
        live = Live(State({machine.node: machine for machine in machines}, ()))
        addresses = {machine.node: f"127.0.0.{11 + index}" for index, machine in enumerate(machines)}
        server = BmcServer(live, addresses, BmcAccount("admin", Secret(PASSWORD)), tmp_path, PORT)
        server.start()
        servers.append(server)
        nowhere = Path("/dev/null")
        return live, Access("root", nowhere, nowhere, "admin", Secret(password), server.ca_file)

    yield start
    for server in servers:
        server.stop()


def anyone(_: object) -> None:
    """Whichever machine answers is the right one."""
