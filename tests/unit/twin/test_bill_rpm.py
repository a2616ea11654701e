"""Readings without hosts of a site with Rocky Linux 9, against what rpm and dnf said on a host after onboarding."""

from dataclasses import replace
from pathlib import Path

import pytest

from rackwright.base import content, yaml_text
from rackwright.model.site import Software
from rackwright.twin.hardware import state
from rackwright.twin.tools import libraries, packages, services
from tests.build import site_design

NODE = "train-001"
RECORDED = Path(__file__).parents[2] / "cases/collectors/packages/rocky_9_node.yaml"


@pytest.fixture(scope="module")
def design():
    plan = site_design()
    recorded_with = {"os": "rocky-9", "enroot": "", "pyxis": ""}
    declared = Software.model_validate({**plan.site.software.model_dump(exclude_unset=True), **recorded_with})
    return replace(plan, site=plan.site.model_copy(update={"software": declared}))


@pytest.fixture(scope="module")
def healthy(design):
    return state.build(design, [NODE])


def test_packages_are_those_that_rpm_lists_on_a_host(design, healthy):
    recorded = yaml_text.load(RECORDED.read_text())["evidence"]["packages"]
    observed = {
        name: package.model_dump() for name, package in packages.observe(healthy, design, NODE).packages.items()
    }
    assert {name: recorded.get(name) for name in observed} == observed
    assert len(observed) >= 25


def test_what_is_rendered_is_read_again(design, healthy):
    record = packages.observe(healthy, design, NODE)
    broken = healthy.with_machine(
        NODE, lambda machine: replace(machine, system=replace(machine.system, packages_broken=("nvidia-modprobe",)))
    )
    cut_off = packages.observe(broken, design, NODE)
    assert cut_off.packages["nvidia-modprobe"].status == "installed twice"
    assert content.module("validators", "collectors", "packages").parse(packages.render(cut_off).decode()) == cut_off
    assert content.module("validators", "collectors", "packages").parse(packages.render(record).decode()) == record


def test_faults_name_packages_as_debian_does(design, healthy):
    drifted = healthy.with_machine(
        NODE,
        lambda machine: replace(
            machine,
            package_versions={"gdrdrv-dkms": "2.5-1"},
            system=replace(machine.system, packages_free=("libnccl2",)),
        ),
    )
    observed = packages.observe(drifted, design, NODE).packages
    assert observed["gdrcopy-kmod"].version == "2.5-1"
    assert not observed["libnccl"].held


def test_the_clock_and_the_libraries_are_where_el_has_them(design, healthy):
    assert services.observe(healthy, design, NODE).active["chronyd"] == "active"
    assert services.observe(healthy, design, NODE).enabled["chrony"] == "not-found"
    paths = [library.path for library in libraries.observe(healthy, design, NODE).libraries]
    assert all(path.startswith("/usr/lib64/lib") for path in paths)
