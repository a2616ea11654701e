"""Every observer names the same kernel, whatever is wrong with it."""

from dataclasses import replace

import pytest

from rackwright.model.software import Bill
from rackwright.twin.hardware import state
from rackwright.twin.hardware.parts import bill, kernel
from rackwright.twin.mirror import definition
from rackwright.twin.tools import host, rdma, tuning
from tests.build import site_design

NODE = "train-001"


def running_kernel(plan, machine):
    hardware = replace(state.build(plan, [NODE]), machines={NODE: machine})
    line = tuning.observe(hardware, plan, NODE).command_line
    return {
        host.observe(hardware, plan, NODE).kernel,
        rdma.observe(hardware, plan, NODE).kernel,
        line.split()[0].removeprefix("BOOT_IMAGE=/boot/vmlinuz-"),
    }


@pytest.fixture(scope="module")
def plan():
    return site_design()


@pytest.fixture(scope="module")
def machine(plan):
    return state.build(plan, [NODE]).machines[NODE]


def test_a_healthy_node_runs_what_onboarding_installs(plan, machine):
    release, variables = list(definition.kernel_releases("debian-12").items())[-1]
    version = variables["version"]
    assert running_kernel(plan, machine) == {release}
    node = plan.node(NODE)
    packages = bill.packages(node, plan.site.software.bill(node.pool))
    assert packages[f"linux-image-{release}"] == (version, False)


def test_what_a_maker_s_image_came_with_is_there_unless_the_bill_replaced_it(plan):
    node, software = plan.node(NODE), plan.site.software.bill("")
    bare = software.model_copy(update={"os": "dgx-os-7", "container_toolkit": "", "gds": ""})
    packages = bill.packages(node, bare)
    assert packages["nvidia-container-toolkit"] == ("1.17.8-1", False)
    assert packages["nvidia-system-core"] == ("25.10-1", False)
    assert {version for version, _ in packages.values() if version.startswith("580.95.05")} == set()
    declared = bare.model_copy(update={"container_toolkit": software.container_toolkit})
    assert bill.packages(node, declared)["nvidia-container-toolkit"] == (f"{software.container_toolkit}-1", True)
    driverless = bill.packages(node, bare.model_copy(update={"driver": "", "fabric_manager": "", "dcgm": ""}))
    assert driverless["libnvidia-nscq"] == ("580.95.05-1", False)
    assert driverless["datacenter-gpu-manager-4-core"] == ("1:4.4.1-1", False)


def test_the_bill_decides_where_it_names_one(plan, machine):
    software = plan.site.software.model_copy(update={"kernel": "6.1.0-47-amd64"})
    design = replace(plan, site=plan.site.model_copy(update={"software": software}))
    assert running_kernel(design, machine) == {"6.1.0-47-amd64"}
    old = replace(machine, system=replace(machine.system, kernel="6.1.0-37-amd64"))
    assert running_kernel(design, old) == {"6.1.0-37-amd64"}


def test_a_boot_loader_may_start_the_older_one(plan, machine):
    assert running_kernel(plan, replace(machine, kernel="pinned")) == {
        next(iter(definition.kernel_releases("debian-12")))
    }


def test_the_kernels_on_offer_are_those_of_every_system_of_the_site(plan):
    assert list(definition.kernels(plan.site.software)) == list(definition.kernel_releases("debian-12"))
    pools = {"train": Bill(os="ubuntu-24.04")}
    software = plan.site.software.model_copy(update={"pools": pools})
    assert definition.kernels(software)["6.8.0-146-generic"] == "#146-Ubuntu SMP PREEMPT_DYNAMIC"


@pytest.mark.parametrize("system", ["ubuntu-22.04", "ubuntu-24.04"])
def test_a_node_comes_with_the_generic_kernel_and_the_mirror_offers_more(system):
    fresh, every = definition.kernel_releases(system), definition.kernel_releases(system, fresh=False)
    assert all(release.endswith("-generic") for release in fresh)
    assert any(release.endswith("-nvidia") for release in every.keys() - fresh.keys())
    assert kernel.installed(Bill(os=system))[0] == list(fresh)[-1]
