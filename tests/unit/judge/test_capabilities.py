"""What a vendor's tool has decides which checks its accelerators get, and not the name of the vendor."""

from __future__ import annotations

import pytest

from rackwright import judge
from tests import build

CHECKS = {
    "gpu.power_limit": "power_limit",
    "gpu.ecc_enabled": "ecc_mode",
    "gpu.ecc_uncorrected": "ecc_counts",
    "gpu.ecc_corrected": "ecc_places",
    "gpu.processes": "processes",
    "gpu.vbios_fleet": "vbios",
    "gpu.temperature_memory": "memory_temperature",
}


@pytest.mark.parametrize(("check", "capability"), CHECKS.items())
def test_a_reading_is_asked_of_every_maker_whose_tool_has_it(check: str, capability: str) -> None:
    applies = judge.load_checks()[check].applies
    stranger = {"vendor": "quark", "architecture": "q"}
    assert applies(build.expectation(part={**stranger, "capabilities": [capability]}))
    assert not applies(build.expectation(part={**stranger, "capabilities": []}))
    assert not applies(build.expectation("slurm-01"))
