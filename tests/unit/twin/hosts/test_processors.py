import re

import pytest

from rackwright import catalog
from rackwright.catalog import fabric_presets
from rackwright.design import sizing
from rackwright.design.sizing.request import misfit
from rackwright.twin.hardware.parts.system import SystemReadings, healthy
from rackwright.twin.hosts import processors
from tests.matrix import rows


def test_threads_are_counted_over_all_cores_first() -> None:
    text = processors.cpuinfo(SystemReadings(sockets=2, cores_per_socket=4, threads_per_core=2))
    rows = [dict(re.findall(r"^(.*?)\t+: (.*)$", part, re.MULTILINE)) for part in text.split("\n\n")]
    assert [row["processor"] for row in rows] == [str(number) for number in range(16)]
    assert (rows[13]["physical id"], rows[13]["core id"], rows[13]["siblings"]) == ("1", "1", "8")


@pytest.mark.parametrize(
    ("maker", "line"),
    [
        ("AuthenticAMD", "vendor_id\t: AuthenticAMD"),
        ("0x41", "CPU implementer\t: 0x41"),
        ("GenuineIntel", "vendor_id\t: GenuineIntel"),
    ],
)
def test_a_processor_names_its_maker(maker: str, line: str) -> None:
    assert processors.cpuinfo(SystemReadings(cpu_maker=maker)).splitlines().count(line) == 2 * 56 * 2


@pytest.mark.parametrize("server", sorted(rows.servers()))
def test_the_command_line_is_that_of_the_processors(server: str) -> None:
    fabric = next(
        preset
        for preset in ("ndr-rail", "roce-rail", "nvl72-rail", "gb200-nvl72", "hdr-rail", "roce-rail-200")
        if fits(server, preset)
    )
    design = sizing.size_site(sizing.SizeRequest(8, server, fabric), catalog.load()).design
    node = design.nodes("accelerator")[0]
    readings = healthy(node)
    assert ("intel_iommu=on" in readings.command_line) == (readings.cpu_maker == "GenuineIntel")
    assert readings.cpu_maker.startswith(processors.ARM) == (node.server.architecture == "arm64")


def fits(server: str, fabric: str) -> bool:
    parts = catalog.load()
    preset = fabric_presets.load().named(fabric)
    assert preset is not None
    return misfit(parts.servers[server], preset, parts) is None
