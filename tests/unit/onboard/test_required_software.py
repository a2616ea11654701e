"""Which architecture the mirror of a site carries: that of the processors of each server, as its SKU says."""

from __future__ import annotations

import pytest

from rackwright import catalog
from rackwright.design import sizing
from rackwright.onboard.required_software import required_software


@pytest.mark.parametrize(
    ("server", "fabric", "architecture"),
    [
        ("atlas-900-a2", "roce-rail-200", "arm64"),
        ("gb200-nvl72", "gb200-nvl72", "arm64"),
        ("dgx-h100", "ndr-rail", "amd64"),
    ],
)
def test_nodes_need_what_their_processors_run(server: str, fabric: str, architecture: str) -> None:
    design = sizing.size_site(sizing.SizeRequest(8, server, fabric), catalog.load()).design
    needed = required_software(design)
    assert {software.architecture for software in needed if software.pool == "train"} == {architecture}
    assert {software.architecture for software in needed if software.pool != "train"} == {"amd64"}


def test_files_of_a_vendor_are_those_of_the_processors() -> None:
    design = sizing.size_site(sizing.SizeRequest(8, "atlas-900-a2", "roce-rail-200"), catalog.load()).design
    files = [software.name for software in required_software(design) if software.kind == "file"]
    assert [name for name in files if "driver" in name] == ["Ascend-hdk-910b-npu-driver_24.1.rc3_linux-aarch64.run"]
