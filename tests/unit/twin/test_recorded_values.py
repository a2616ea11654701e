"""What the tools of the twin print, where a recording of the real tool showed that it is otherwise."""

import importlib
import json
from pathlib import Path

import pytest

from rackwright.base import yaml_text
from rackwright.model.evidence.host import Services, SystemdUnits
from rackwright.model.evidence.load import Copies, Copy
from rackwright.twin import tools
from rackwright.twin.campaign import Stage
from tests import build

CASES = Path(__file__).parents[2] / "cases" / "collectors"


def recorded(collector, case):
    return yaml_text.load((CASES / collector / f"{case}.yaml").read_text())["output"]


def render(collector, record):
    return importlib.import_module(f"rackwright.twin.tools.{collector}").render(record).decode()


@pytest.fixture(scope="module")
def printed():
    stage = Stage(build.site_design(), ("train-001",), build.TAKEN)
    requests = stage.plans[False]
    outputs = tools.plan_outputs(stage.design, stage.healthy, requests, load=False)
    return {output.collector: output.stdout.decode() for output in outputs}


def test_an_alias_answers_under_the_name_of_its_unit():
    state = Services(active={"chrony": "active"}, enabled={"chrony": "enabled"})
    first, second, *_ = recorded("services", "debian_12_booted").split("\n\n")
    assert render("services", state).split("\n\n") == [first, f"{second}\n"]


def test_debian_has_no_unit_chronyd(printed):
    assert printed["services"].count("Id=chrony.service") == 2
    assert "chronyd" not in printed["services"]


def test_failed_units_stand_in_columns():
    units = SystemdUnits(failed=["mnt-scratch.mount", "nvidia-fabricmanager.service"])
    states = [line.partition(" failed ")[0] for line in recorded("units", "debian_12_booted").splitlines()]
    assert [line.partition(" failed ")[0] for line in render("units", units).splitlines()] == states


def test_a_drive_has_the_bytes_of_its_rating():
    first = json.loads(recorded("drives", "two_models").splitlines()[1])
    assert importlib.import_module("rackwright.twin.tools.drives").nominal_bytes(3.84) == first["nvme_total_capacity"]


def test_nvbandwidth_sums_up_what_it_measured():
    copies = [
        Copy(direction="host_to_device", source=None, target=n, gbytes_per_s=55.0 + n, engine="copy_engine")
        for n in range(2)
    ]
    report = json.loads(render("nvbandwidth", Copies(tool="nvbandwidth 0.9", driver_version="580.1", copies=copies)))
    case = report["nvbandwidth"]["testcases"][0]
    real = json.loads(recorded("nvbandwidth", "dcgm_one_gpu"))["nvbandwidth"]
    assert set(case) == set(real["testcases"][0])
    assert (case["sum"], case["min"], case["max"], case["average"]) == (111.0, 55.0, 56.0, 55.5)
    assert report["nvbandwidth"]["version"][0] == real["version"][0] == "v"
