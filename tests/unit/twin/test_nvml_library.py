import shutil

import pytest

from rackwright.base.errors import OutsideError
from rackwright.collect import probe_build
from rackwright.twin.nvml import library
from tests.unit.twin import nvml_bench as bench

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


@pytest.fixture(scope="module")
def probe(tmp_path_factory):
    return probe_build.build_probe(tmp_path_factory.mktemp("probe"))


def test_a_second_build_only_looks(compiled):
    before = compiled.stat().st_mtime_ns
    assert library.build(compiled.parent, library.Releases((bench.DRIVER, bench.NEWER))) == compiled
    assert compiled.stat().st_mtime_ns == before


def test_a_missing_compiler_is_said_with_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(OutsideError, match=r"no-such-compiler.*install gcc"):
        library.build(tmp_path, library.Releases((bench.DRIVER,)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("driver", "cuda"),
    [
        ("580.173.02", "13.0"),
        ("595.91.07", "13.2"),
        ("610.57.04", "13.2"),
        ("535.309.01", "12.2"),
        ("565.57.01", "12.6"),
    ],
)
def test_cuda_of_a_driver(driver, cuda):
    assert library.cuda_of(driver) == cuda


def test_readings_through_the_real_pynvml(node, probe):
    dump = node.dump(probe)
    assert dump["system"]["driver_version"] == {"value": bench.DRIVER}
    assert dump["system"]["nvml_version"] == {"value": f"13.{bench.DRIVER}"}
    assert dump["system"]["cuda_driver_version"] == {"value": 13000}
    first = dump["devices"][0]
    assert dump["count"] == {"value": 2}
    assert first["name"] == {"value": "NVIDIA H100 80GB HBM3"}
    assert first["pci_info"]["value"]["busId"] == "00000000:1B:00.0"
    assert first["memory_info_v2"]["value"]["total"] == 80 * 2**30
    assert first["remapped_rows"] == {"value": [0, 0, 0, 0]}
    assert first["temperature"] == first["temperature_v"] == {"value": 34}
    assert [link["state"] for link in first["nvlink"]["value"]] == [{"value": 1}] * 18
    assert first["mig_mode"] == {"value": [0, 0]}


@pytest.mark.parametrize(
    ("changes", "reading", "value"),
    [
        ({"row_remap_pending": True}, "remapped_rows", [0, 1, 1, 0]),
        ({"row_remap_failed": True}, "remapped_rows", [0, 1, 0, 1]),
        ({"ecc_uncorrected_volatile": 4}, "total_ecc_errors_uncorrected_volatile", 4),
        ({"ecc_uncorrected_aggregate": 5}, "memory_error_counter_uncorrected_aggregate_dram", 5),
        ({"ecc_uncorrected_aggregate": 5}, "memory_error_counter_uncorrected_aggregate_sram", 0),
        ({"pcie_width": 8}, "curr_pcie_link_width", 8),
        ({"pcie_generation": 3}, "curr_pcie_link_generation", 3),
        ({"pcie_replays": 41}, "pcie_replay_counter", 41),
        ({"throttle_reasons": ("hw_slowdown",)}, "current_clocks_event_reasons", 9),
        ({"temperature_celsius": 88}, "temperature", 88),
    ],
)
def test_a_change_of_the_state_shows_in_its_reading(node, probe, changes, reading, value):
    node.show(bench.machine(bench.gpu(0), bench.gpu(1, **changes)))
    healthy, changed = node.dump(probe)["devices"]
    assert changed[reading] == {"value": value}
    if value:
        assert healthy[reading] != changed[reading]


def test_one_link_down_and_its_errors(node, probe):
    node.show(bench.machine(bench.gpu(0, nvlinks=(True,) * 17 + (False,), nvlink_crc_errors=12)))
    links = node.dump(probe)["devices"][0]["nvlink"]["value"]
    assert [link["state"]["value"] for link in links] == [1] * 17 + [0]
    assert [link["crc_flit"]["value"] for link in links] == [12] + [0] * 17


def test_a_gpu_without_nvlink_says_not_supported(node, probe):
    node.show(bench.machine(bench.gpu(0, nvlinks=(), product_name="NVIDIA L40S")))
    device = node.dump(probe)["devices"][0]
    assert device["nvlink"] == {"error": "NVML_ERROR_NOT_SUPPORTED"}
    assert device["gpu_fabric_info"]["value"]["state"] == 0
    refused = node.run("nv-fabricmanager")
    assert refused.returncode == 1
    assert "NV_WARN_NOTHING_TO_DO" in refused.stderr


def test_one_gpu_less(node, probe):
    node.show(bench.machine(bench.gpu(0, present=False), bench.gpu(1)))
    dump = node.dump(probe)
    assert [device["uuid"]["value"] for device in dump["devices"]] == [bench.gpu(1).uuid]


@pytest.mark.parametrize(
    ("break_it", "error"),
    [
        (lambda node: (node.root / "lib/libnvidia-ml.so.1").unlink(), "NVML_ERROR_LIBRARY_NOT_FOUND"),
        (lambda node: shutil.rmtree(node.root / "usr"), "NVML_ERROR_DRIVER_NOT_LOADED"),
        (lambda node: node.show(bench.machine()), "NVML_ERROR_DRIVER_NOT_LOADED"),
        (lambda node: shutil.rmtree(node.root / "run"), "NVML_ERROR_DRIVER_NOT_LOADED"),
    ],
    ids=["no library", "no kernel module", "no accelerators", "machine off"],
)
def test_why_nvml_does_not_start(node, probe, break_it, error):
    break_it(node)
    assert node.dump(probe)["init"] == {"error": error}


def test_an_upgrade_needs_a_reboot(node, probe):
    assert "error" not in node.dump(probe)["init"]
    node.install_library(bench.NEWER)
    node.install_module(bench.NEWER)
    assert node.dump(probe)["init"] == {"error": "NVML_ERROR_LIB_RM_VERSION_MISMATCH"}
    refused = node.run("nvidia-smi")
    assert refused.returncode == 18
    assert "Driver/library version mismatch" in refused.stdout
    node.reboot()
    assert node.dump(probe)["system"]["driver_version"] == {"value": bench.NEWER}


def test_daemons_decide_persistence_and_fabric(node, probe):
    before = node.dump(probe)["devices"][0]
    assert before["persistence_mode"] == {"value": 0}
    assert before["gpu_fabric_info"]["value"]["state"] == 1
    assert node.run("nvidia-persistenced").returncode == 0
    assert node.run("nv-fabricmanager", "-c", "fabricmanager.cfg").returncode == 0
    during = node.dump(probe)["devices"][0]
    assert during["persistence_mode"] == {"value": 1}
    assert during["gpu_fabric_info"]["value"]["state"] == 3
    assert during["gpu_fabric_info"]["value"]["status_name"] == "NVML_SUCCESS"
    node.stop("nvidia-persistenced")
    node.stop("nv-fabricmanager")
    after = node.dump(probe)["devices"][0]
    assert (after["persistence_mode"], after["gpu_fabric_info"]["value"]["state"]) == ({"value": 0}, 1)


def test_a_pid_file_of_somebody_else_is_no_daemon(node, probe):
    folder = node.root / "run/nvidia-fabricmanager"
    folder.mkdir()
    (folder / "nv-fabricmanager.pid").write_text("1\n")
    assert node.dump(probe)["devices"][0]["gpu_fabric_info"]["value"]["state"] == 1
    (folder / "nv-fabricmanager.pid").unlink()


def test_a_fabric_manager_of_another_version_refuses(node):
    refused = node.run("nv-fabricmanager", release=bench.NEWER)
    assert refused.returncode == 1
    assert f"version {bench.NEWER} don't match with driver version {bench.DRIVER}" in refused.stderr


def test_nvidia_smi_query(node):
    done = node.run("nvidia-smi", "--query-gpu=index,memory.total,pcie.link.width.current,fabric.state", "--format=csv")
    assert done.stdout.splitlines() == [
        "index, memory.total [MiB], pcie.link.width.current, fabric.state",
        "0, 81920 MiB, 16, Not Started",
        "1, 81920 MiB, 16, Not Started",
    ]
    plain = node.run("nvidia-smi", "--query-gpu=power.limit", "--format=csv,noheader,nounits", "-i", "1")
    assert plain.stdout == "700.00\n"
    wrong = node.run("nvidia-smi", "--query-gpu=colour", "--format=csv")
    assert (wrong.returncode, wrong.stdout.splitlines()[0]) == (2, 'Field "colour" is not a valid field to query.')


def test_nvidia_smi_lists(node):
    node.show(bench.machine(bench.gpu(0, row_remap_pending=True)))
    assert node.run("nvidia-smi", "-L").stdout == f"GPU 0: NVIDIA H100 80GB HBM3 (UUID: {bench.gpu(0).uuid})\n"
    lines = [line.split(" : ") for line in node.run("nvidia-smi", "-q").stdout.splitlines() if " : " in line]
    fields = {label.strip(): value for label, value in lines}
    assert fields["Attached GPUs"] == "1"
    assert fields["Pending"] == "Yes"
    assert fields["State"] == "Not Started"
