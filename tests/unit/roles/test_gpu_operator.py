from pathlib import Path

import pytest
import yaml

PATH = "/etc/rackwright/gpu-operator-values.yaml"
GOLDEN = Path(__file__).parent / "golden" / "gpu-operator-values.yaml"
NOTHING = dict.fromkeys(
    ("driver", "container_toolkit", "dcgm", "dcgm_exporter", "mig_manager", "doca", "gds", "gdrcopy"), ""
)
FULL = {
    **NOTHING,
    "driver": "580.173.02",
    "container_toolkit": "1.20.0",
    "dcgm": "4.6.0",
    "dcgm_exporter": "4.8.3",
    "doca": "3.2.1",
}


def requested(**pools):
    return {"gpu_operator_version": "26.7.0", "gpu_operator_carried": pools}


def test_the_values_are_as_they_were_reviewed(declared):
    assert declared("gpu_operator", **requested(train=FULL)).files[PATH] == GOLDEN.read_text(encoding="utf-8")


def test_nothing_that_nodes_carry_is_installed_again(declared):
    values = yaml.safe_load(declared("gpu_operator", **requested(train=FULL)).files[PATH])
    for part in ("driver", "toolkit", "dcgm", "dcgmExporter"):
        assert values[part]["enabled"] is False
    assert values["devicePlugin"]["enabled"] is True
    assert values["driver"] == {"enabled": False}


def test_a_driver_of_the_operator_is_built_against_the_stack_of_the_host(declared):
    values = yaml.safe_load(declared("gpu_operator", **requested(train={**NOTHING, "doca": "3.2.1"})).files[PATH])
    assert values["driver"] == {"enabled": True, "rdma": {"enabled": True, "useHostMofed": True}}


def test_an_operator_that_brings_everything_is_told_so(declared):
    values = yaml.safe_load(declared("gpu_operator", **requested(train=NOTHING)).files[PATH])
    for part in ("driver", "toolkit", "dcgm", "dcgmExporter"):
        assert values[part]["enabled"] is True
    assert declared("gpu_operator", **requested(train=NOTHING)).verify == {}


def test_its_own_pods_run_on_nodes_that_wait_for_acceptance(declared):
    values = yaml.safe_load(declared("gpu_operator", **requested(train=FULL)).files[PATH])
    keys = [toleration["key"] for toleration in values["daemonsets"]["tolerations"]]
    assert keys == ["nvidia.com/gpu", "rackwright.io/acceptance"]


def test_the_device_plugin_of_another_component_is_the_only_one(declared):
    values = yaml.safe_load(
        declared("gpu_operator", **requested(train=FULL), gpu_operator_device_plugin=False).files[PATH]
    )
    assert values["devicePlugin"] == {"enabled": False}


def test_further_values_win(declared):
    more = {"migManager": {"enabled": False}, "devicePlugin": {"env": []}}
    values = yaml.safe_load(declared("gpu_operator", **requested(train=FULL), gpu_operator_more=more).files[PATH])
    assert values["migManager"]["enabled"] is False
    assert values["devicePlugin"] == {"enabled": True, "env": []}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({**requested(train=FULL), "gpu_operator_version": "latest"}, "a version such as 26.7.0"),
        ({**requested(train=FULL), "gpu_operator_version": "27.1.0"}, "known lines: 26.7, 25.10, 25.3"),
        (
            requested(train={**FULL, "driver": "570.148.08"}),
            "made for driver branches 610, 595, 580, 535, and the nodes have 570.148.08",
        ),
        (requested(train=FULL, spare=NOTHING), "must carry the same parts"),
        (requested(train={**FULL, "dcgm_exporter": ""}), "give software.dcgm_exporter as well"),
    ],
)
def test_what_cannot_work_is_refused(declared, options, message):
    assert message in declared("gpu_operator", **options).refused


def test_pools_with_other_versions_of_the_same_parts_are_accepted(declared):
    assert declared("gpu_operator", **requested(train=FULL, other={**FULL, "driver": "595.91.07"})).refused == ""
    assert declared("gpu_operator", **requested(train=NOTHING)).refused == ""


def test_the_chart_has_every_key_of_the_values(declared):
    chart = set((Path(__file__).parent / "gpu_operator_chart_keys.txt").read_text(encoding="utf-8").splitlines())
    every = {**NOTHING, "doca": "3.2.1"}, FULL
    for carried in every:
        values = yaml.safe_load(declared("gpu_operator", **requested(train=carried)).files[PATH])
        assert set(keys(values)) <= chart
    assert set(keys({"driver": {"enbled": True}})) - chart == {"driver.enbled"}


def keys(values, above=""):
    """Every key that has no further ones below it, with dots."""
    for key, value in values.items():
        yield from keys(value, f"{above}{key}.") if isinstance(value, dict) else [f"{above}{key}"]
