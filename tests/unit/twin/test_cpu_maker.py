"""A host of the twin shows the processors that its server was ordered with, whatever machine is below it."""

from __future__ import annotations

import pytest

from rackwright.twin.guest.machine import made_by
from rackwright.twin.hardware.parts.system import COMMAND_LINE, COMMAND_LINES, CPU_MAKERS, SystemReadings

BELOW = "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: a name\n\nprocessor\t: 1\nvendor_id\t: GenuineIntel\n"


@pytest.mark.parametrize(
    ("maker", "line"),
    [
        ("AuthenticAMD", "vendor_id\t: AuthenticAMD"),
        ("GenuineIntel", "vendor_id\t: GenuineIntel"),
        ("0x41", "CPU implementer\t: 0x41"),
    ],
)
def test_every_processor_has_the_maker_and_the_rest_is_left(maker, line) -> None:
    assert made_by(maker, BELOW).splitlines() == [
        "processor\t: 0", line, "model name\t: a name", "", "processor\t: 1", line,
    ]  # fmt: skip


@pytest.mark.parametrize("sku", ["h100-sxm", *COMMAND_LINES])
def test_the_command_line_is_that_of_the_maker(sku) -> None:
    intel = "intel_iommu=on" in COMMAND_LINES.get(sku, COMMAND_LINE)
    assert (CPU_MAKERS.get(sku, SystemReadings.cpu_maker) == "GenuineIntel") == intel
