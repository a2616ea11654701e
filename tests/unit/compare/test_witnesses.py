"""Adapters of the host and of a BMC as published, matched and compared."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rackwright import judge
from rackwright.collect import collector
from rackwright.collect.store.adapter_witnesses import adapter_witnesses
from rackwright.compare import witnesses
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.evidence.network import Gid, Rdma, RdmaDevice
from rackwright.model.evidence.pci import Pci, PciDevice
from rackwright.model.lazy_finding import worded
from rackwright.model.verdict import Outcome
from tests import build
from tests.unit.redfish import trees

HPE_GUID = "0x88e9a4ffff8742c8"
CHECK = judge.load_checks()["bmc.adapters"]


def _host(guid: str, *, slot: str, card: str) -> dict[type, Any]:
    digits = guid.removeprefix("0x")
    gid = Gid(
        index=0,
        address="fe80:0000:0000:0000:" + ":".join(digits[at : at + 4] for at in range(0, 16, 4)),
        kind="IB/RoCE v1",
    )
    device = RdmaDevice(
        pci_address="0000:81:00.0", model="MT4123", firmware="20.36.1010", board="HPE0000000064", node_guid="", numa_node=1,
        link_layer="InfiniBand", state="ACTIVE", physical_state="LinkUp", rate="100 Gb/sec (2X HDR)", active_mtu=4096,
        partition_keys=[], gids=[gid], counters={},
    )  # fmt: skip
    function = PciDevice(
        address="0000:81:00.0", path=[], pci_class="0207", pci_id="15b3:101b", numa_node=1, generation=4, width=16,
        max_payload_bytes=256, read_request_bytes=512, acs=None, errors=[], slot=slot, card=card,
    )  # fmt: skip
    return {
        Rdma: Rdma(kernel="6.8", modules=[], open_driver=None, devices={"mlx5_0": device}),
        Pci: Pci(devices=[function]),
    }


def _judged(tree: str, records: dict[type, Any]) -> tuple[Outcome, str]:
    bmc = collector.library()["bmc"].parse(json.dumps(trees.recorded(tree)))
    assert isinstance(bmc, BmcEvidence)
    record = adapter_witnesses({**records, BmcEvidence: bmc})
    assert record is not None
    finding = worded(CHECK.judge(build.expectation(), record))
    return finding.outcome, finding.says


@pytest.mark.parametrize(
    ("card", "guid", "outcome", "words"),
    [
        ("ILC2280420", None, Outcome.PASS, "1 of 1 adapters"),
        ("ILC2280420", "0x88e9a4ffff000001", Outcome.FAIL, "mlx5_0 at 0000:81:00.0, slot 1 has GUID 0x88e9a4ffff000001, the BMC says 0x"),
    ],
)  # fmt: skip
def test_a_guid_that_hpe_writes_among_network_addresses(
    card: str, guid: str | None, outcome: Outcome, words: str
) -> None:
    ports = trees.evidence(trees.recorded("hpe")).nic_ports
    reported = next(port.port_guid for port in ports if port.card == card and port.port_guid)
    judged = _judged("hpe", _host(guid or reported, slot="1", card=card))
    assert judged[0] is outcome
    assert words in judged[1]


def test_the_number_in_a_label_of_supermicro_is_the_last_one() -> None:
    """``RISER 1 slot 2 (12)`` is slot 12, and ``PCIe Slot 2 (2)`` is slot 2."""
    outcome, says = _judged("supermicro", _host(HPE_GUID, slot="2", card="MT2201J99999"))
    assert outcome is Outcome.FAIL
    assert (
        "has serial number MT2201J99999, the BMC says MT2316J37808 of adapter 2 in PCIe Slot 2 (2) (matched by slot)"
        in says
    )


def test_what_stands_under_one_serial_number_is_one_card() -> None:
    """The boards of a GB200 tray have two adapters each."""
    bmc = trees.evidence(trees.recorded("nvidia_gb200"))
    record = adapter_witnesses({**_host(HPE_GUID, slot="", card="1583124760427"), BmcEvidence: bmc})
    assert record is not None
    (pair,) = witnesses.matches(record)
    assert sorted(pair.bmc.names) == ["IO_Board_0_CX7_0", "IO_Board_0_CX7_1"]


def test_without_a_bmc_there_is_nothing_to_compare() -> None:
    assert adapter_witnesses(_host(HPE_GUID, slot="1", card="")) is None
