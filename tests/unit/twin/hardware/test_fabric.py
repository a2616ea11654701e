import re
from pathlib import Path

import pytest
import yaml

from rackwright import catalog, design, spec
from rackwright.base import errors, yaml_text
from rackwright.design import sizing
from rackwright.model.design import Design
from rackwright.model.lanes import INFINIBAND_PORTS
from rackwright.twin import faults
from rackwright.twin.hardware import fabric, state
from tests.build import site_design

NODES = ["train-001", "train-002", "ufm-01"]


@pytest.fixture(scope="module")
def healthy() -> state.State:
    return state.build(site_design(), NODES)


@pytest.fixture(scope="module")
def plan() -> fabric.FabricPlan:
    return fabric.FabricPlan.of(site_design())


def links(net: str) -> set[tuple[str, int, str, int]]:
    ends, node = set(), ""
    for line in net.splitlines():
        if head := re.match(r'(?:Switch|Hca) \d+ "([^"]+)"', line):
            node = head[1]
        elif port := re.match(r'\[(\d+)\] "([^"]+)"\[(\d+)\]', line):
            ends.add((node, int(port[1]), port[2], int(port[3])))
    return ends


def test_every_link_stands_on_both_ends(healthy: state.State, plan: fabric.FabricPlan) -> None:
    ends = links(fabric.net_file(healthy, "compute", plan))
    assert all((far, far_port, near, near_port) in ends for near, near_port, far, far_port in ends)
    adapters = {near for near, *_ in ends if ":" in near}
    assert len(adapters) == 8 + 8 + 2


def test_adapters_of_machines_outside_the_twin_are_left_out(healthy: state.State, plan: fabric.FabricPlan) -> None:
    net = fabric.net_file(healthy, "compute", plan)
    assert "train-003" not in net
    assert "ufm-02" not in net
    assert net.count("Switch ") == 12


def test_port_guids_are_those_of_the_state(healthy: state.State, plan: fabric.FabricPlan) -> None:
    net = fabric.net_file(healthy, "compute", plan)
    nic = next(nic for nic in healthy.machines["train-001"].nics if nic.name == "mlx5_0")
    assert f'caguid={int(nic.guid, 16) - 1:#018x}\nHca 1 "train-001:mlx5_0" # "train-001 mlx5_0"' in net


def test_swapped_and_missing_cables_show(healthy: state.State, plan: fabric.FabricPlan) -> None:
    before = links(fabric.net_file(healthy, "compute", plan))
    swapped = faults.apply_faults(healthy, faults.assign_nodes(["fabric-cables-swapped"], NODES))
    assert len(links(fabric.net_file(swapped, "compute", plan)) ^ before) == 2 * 2 * 16
    missing = faults.apply_faults(healthy, faults.assign_nodes(["fabric-cable-missing"], NODES))
    assert len(before - links(fabric.net_file(missing, "compute", plan))) == 2


def test_switch_guids_are_stable_and_different() -> None:
    assert fabric.switch_guid("compute-leaf-01") == fabric.switch_guid("compute-leaf-01")
    assert fabric.switch_guid("compute-leaf-01") != fabric.switch_guid("compute-leaf-02")
    assert re.fullmatch(r"0x[0-9a-f]{16}", fabric.switch_guid("compute-leaf-01"))


def test_a_rate_that_cannot_be_shown_is_refused(healthy: state.State, plan: fabric.FabricPlan) -> None:
    strange = fabric.FabricPlan(dict.fromkeys(plan.rates, 56), plan.numbers, plan.switch_ports)
    with pytest.raises(errors.ProblemsError, match="56 Gb/s"):
        fabric.net_file(healthy, "compute", strange)


def test_each_fabric_with_a_port_of_the_manager_is_simulated(healthy: state.State, plan: fabric.FabricPlan) -> None:
    attached = fabric.attached(healthy, healthy.machines["ufm-01"])
    assert list(attached) == ["compute", "storage"]
    assert fabric.units(healthy, "ufm-01") == [
        "ibsim-compute.service",
        "opensm-compute.service",
        "ibsim-storage.service",
        "opensm-storage.service",
    ]
    files = {file["path"]: file["text"] for file in fabric.files(healthy, "ufm-01", plan)}
    assert files[f"{fabric.FOLDER}/storage.net"].count("Switch ") == 2
    wrapper = files["/usr/local/sbin/ibnetdiscover"]
    assert f"{attached['storage']}) fabric=storage" in wrapper


def test_a_host_without_ports_gets_no_files(plan: fabric.FabricPlan) -> None:
    alone = state.build(site_design(), ["slurm-01"])
    assert fabric.files(alone, "slurm-01", plan) == []


def test_the_manager_shows_the_fabrics_for_all_nodes(healthy: state.State) -> None:
    assert fabric.serving_hosts(site_design(), healthy) == ["ufm-01"]


def sized(server: str, fabric_name: str, accelerators: int, folder: Path, instead: str = "") -> Design:
    """The site of `rackwright size`, with the server `instead` in it; caps are those of the other."""
    request = sizing.SizeRequest(accelerators, server, fabric_name, scheduler="slurm")
    site = folder / "site.yaml"
    text = sizing.site_text(sizing.size_site(request, catalog.load()))
    data = yaml_text.load(text.replace(server, instead or server))
    if instead:
        data["facility"]["power"].pop("caps", None)
    site.write_text(yaml.safe_dump(data), encoding="utf-8")
    loaded = spec.load(site)
    return design.expand(loaded.site, loaded.catalog)


@pytest.mark.parametrize("accelerators", [64, 1152])
def test_a_switch_has_the_lanes_that_are_cabled_and_no_more_than_infiniband_numbers(
    tmp_path: Path, accelerators: int
) -> None:
    """Nodes of 400 Gb/s on switches of 800: split ports for the nodes, whole ones between switches."""
    plan = fabric.FabricPlan.of(sized("gb300-nvl72", "nvl72-rail", accelerators, tmp_path, instead="gb200-nvl72"))
    compute = [ports for name, ports in plan.switch_ports.items() if name.startswith("compute-")]
    assert 144 < max(compute) <= INFINIBAND_PORTS


def test_links_of_800_are_written_as_the_simulator_can_and_shown_as_the_tools_do(tmp_path: Path) -> None:
    expanded = sized("gb300-nvl72", "nvl72-rail", 64, tmp_path)
    plan, built = fabric.FabricPlan.of(expanded), state.build(expanded, ["train-001", "train-002"])
    assert '"train-001:mlx5_0"[1] w=8 s=7 e=4' in fabric.net_file(built, "compute", plan)
    tools = [file["text"] for file in fabric.files(built, "train-001", plan) if file["path"].endswith("/ibnetdiscover")]
    assert all("sed 's/12xHDR/4xXDR/'" in text for text in tools)
    assert tools


def test_without_a_manager_nodes_show_the_fabric_and_a_switch_has_its_split_ports(tmp_path: Path) -> None:
    expanded = sized("mccx-d800", "ndr-rail", 64, tmp_path)
    assert fabric.serving_hosts(expanded, state.build(expanded, ["train-001", "slurm-01"])) == ["train-001", "slurm-01"]
    split = fabric.FabricPlan.of(expanded)
    assert max(split.numbers.values()) > 64
    assert all(number <= split.switch_ports[device] for (device, _), number in split.numbers.items())
