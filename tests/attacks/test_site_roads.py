"""Sites that `check` used to accept and no road led on from: each is refused, or now walks on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from rackwright import design, spec
from rackwright.base import yaml_text
from rackwright.cli.main import main
from tests.attacks.conftest import Refusal
from tests.build import EXAMPLE


def test_a_switch_of_infiniband_with_more_links_than_port_numbers(refusal: Refusal) -> None:
    """288 lanes of 400 Gb/s come out of a Q3400; the twin's simulator, as every subnet manager, has 8 bits to number them."""

    def spoil(data: dict[str, Any]) -> None:
        data["pools"][0] |= {"count": 33, "scalable_unit": 33}
        data["fabrics"][0] |= {"switch": "q3400-ra", "topology": "fat-tree", "tiers": 1}

    printed = refusal(spoil)
    assert "has more links on compute-leaf-01 than InfiniBand numbers ports of a switch (8 bits)" in printed
    assert "expected: at most 254 ports" in printed
    assert "found:    port 288 of q3400-ra" in printed
    assert "next:     one of: tiers: 2 (2 leaves, 2 spines)" in printed


def test_a_flat_switch_of_infiniband_gives_control_servers_ports_that_have_numbers(tmp_path: Path) -> None:
    """31 nodes and two subnet managers have 252 links: 254 of the 288 lanes of a Q3400 have a number."""
    data = yaml_text.load(EXAMPLE.read_text(encoding="utf-8"))
    data["pools"][0]["scalable_unit"] = 31
    data["fabrics"][0] |= {"switch": "q3400-ra", "topology": "fat-tree", "tiers": 1}
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    loaded = spec.load(file)
    links = design.expand(loaded.site, loaded.catalog).links("ufm-01")
    ports = [(link.remote_device, link.remote_port) for link in links if link.fabric == "compute"]
    assert ports == [("compute-leaf-01", "127/1"), ("compute-leaf-01", "127/0")]
