"""Configurations of switches without routing: of InfiniBand, and of BMCs and management ports; and the servers that all of them ask."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError, UsageError
from rackwright.export import ExportRequest, switches
from rackwright.model.port_spellings import system_name
from tests.unit.export.switch_sites import REQUEST, SYSTEMS, files, two_rails

GOLDEN = Path(__file__).parents[2] / "golden" / "switches"


def refused(design, fabric: str) -> str:
    with pytest.raises(ProblemsError) as caught:
        switches.configs(design, ExportRequest(fabric=fabric))
    return "\n".join(map(str, caught.value.problems))


def test_a_switch_of_bmcs_is_one_bridge(example, golden):
    control = example.site.control.model_copy(update={"syslog_servers": ["10.64.0.3"], "name_servers": ["10.64.0.4"]})
    design = replace(example, site=example.site.model_copy(update={"control": control}))
    text = files(design, ExportRequest(fabric="oob"))["oob-switch-01/startup.yaml"]
    assert yaml_text.load(text)[1]["set"]["vrf"]["default"]["router"].keys() == {"static"}
    golden(GOLDEN / "cumulus" / "oob-switch-01" / "startup.yaml", text)


def test_a_switch_of_bmcs_is_written_for_one_system(example):
    systems = [catalog.load().switches["sn4700"].systems[1]]
    part = example.switches["sn2201"].model_copy(update={"systems": systems})
    changed = replace(example, switches={**example.switches, "sn2201": part})
    assert "no management switch is written for sonic" in refused(changed, "oob")


@pytest.mark.parametrize("system", [*SYSTEMS, "mlnxos", "nvos"])
def test_logs_and_names_go_to_the_declared_servers(system, example):
    design, request = (
        (two_rails(system, **SYSTEMS[system]), REQUEST)
        if system in SYSTEMS
        else (infiniband(example, switch_system=system), ExportRequest(fabric="compute"))
    )
    update = {"syslog_servers": ["logs.example.net"], "name_servers": ["192.0.2.53"]}
    control = design.site.control.model_copy(update=update)
    texts = files(replace(design, site=design.site.model_copy(update={"control": control})), request)
    for name, text in texts.items():
        if "compute-leaf-01" in name and not name.endswith("frr.conf"):
            assert "logs.example.net" in text
            assert "192.0.2.53" in text


@pytest.mark.parametrize(("system", "file"), [("mlnxos", "commands.txt"), ("nvos", "commands.sh")])
def test_the_files_of_an_infiniband_switch(example, system, file, golden):
    texts = files(infiniband(example, switch_system=system), ExportRequest(fabric="compute"))
    golden(GOLDEN / system / "compute-leaf-01" / file, texts[f"compute-leaf-01/{file}"])


def infiniband(example, **change):
    """The example with another compute fabric."""
    fabrics = [
        fabric.model_copy(update=change) if fabric.name == "compute" else fabric for fabric in example.site.fabrics
    ]
    return replace(example, site=example.site.model_copy(update={"fabrics": fabrics}))


def test_halves_of_a_port_have_names_of_their_own():
    part = catalog.load().switches["qm9700"]
    names = [system_name(part.systems[0], part, "5/2", (5, lane), 2) for lane in range(2)]
    assert names == ["1/3/1/1", "1/3/1/2"]
    assert system_name(part.systems[0], part, "6", (6, 0), 1) == "1/3/2"


def test_infiniband_switches_without_management_have_nothing_to_configure(example):
    parts = {sku: part.model_copy(update={"management_port": ""}) for sku, part in example.switches.items()}
    assert "its switches have no management of their own" in refused(replace(example, switches=parts), "compute")


def test_other_fabrics_have_no_such_files(example):
    site = infiniband(example, transport="nvlink")
    with pytest.raises(UsageError, match=r"its transport is nvlink, not Ethernet or InfiniBand; .* here is"):
        switches.configs(site, ExportRequest(fabric="compute"))
