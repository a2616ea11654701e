"""What a vendor's tool has decides which checks its accelerators get, and not the name of the vendor."""

from __future__ import annotations

import re

import pytest

from rackwright import catalog, judge
from rackwright.base import content
from tests import build

CHECKS = {
    "gpu.power_limit": "power_limit",
    "gpu.ecc_enabled": "ecc_mode",
    "gpu.ecc_uncorrected": "ecc_counts",
    "gpu.ecc_corrected": "ecc_places",
    "gpu.processes": "processes",
    "gpu.vbios_fleet": "vbios",
    "gpu.temperature_memory": "memory_temperature",
    "gpu.vbios": "board",
    "gpu.clocks": "clocks",
    "gpu.mig_mode": "device_modes",
    "gpu.gsp_firmware": "device_firmware",
    "gpu.spare_rows": "row_remapping",
    "gpu.sram_uncorrected": "ecc_places",
    "gpu.temperature_margin": "temperature_margin",
    "pcie.replays": "pcie_replays",
    "peers.pcie_replays": "pcie_replays",
    "burn.errors": "burn_details",
    "burn.diagnostic": "diagnosis",
    "hbm.corruption": "diagnosis",
    "rail.port": "rail_tests",
    "rdma.gpudirect": "peer_memory",
    "xid.none_critical": "numbered_faults",
}


@pytest.mark.parametrize(("check", "capability"), CHECKS.items())
def test_a_reading_is_asked_of_every_maker_whose_tool_has_it(check: str, capability: str) -> None:
    applies = judge.load_checks()[check].applies
    stranger = {"vendor": "quark", "architecture": "q"}
    assert applies(build.expectation(part={**stranger, "capabilities": [capability]}))
    assert not applies(build.expectation(part={**stranger, "capabilities": []}))
    assert not applies(build.expectation("slurm-01"))


def test_no_check_asks_for_a_vendor_by_name() -> None:
    makers = "|".join(catalog.load().vendors)
    named = re.compile(rf"vendor\b.*['\"]({makers})['\"]")
    texts = {path: path.read_text(encoding="utf-8") for path in content.folder("validators", "checks").rglob("*.py")}
    assert [str(path) for path, text in texts.items() if named.search(text)] == []
