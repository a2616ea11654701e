import re
from dataclasses import replace

import pytest

from rackwright import catalog
from rackwright.twin.hardware.parts.system import SystemReadings, healthy
from rackwright.twin.hosts import processors
from tests import build
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
    parts = catalog.load()
    machine = parts.servers[server]
    part = parts.accelerators[machine.accelerator or ""]
    readings = healthy(replace(build.site_design().nodes("accelerator")[0], server=machine, accelerator=part))
    assert ("intel_iommu=on" in readings.command_line) == (readings.cpu_maker == "GenuineIntel")
    assert readings.cpu_maker.startswith(processors.ARM) == (machine.architecture == "arm64")
