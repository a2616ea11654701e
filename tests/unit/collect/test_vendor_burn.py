"""The drivers of AMD's and Huawei's load tools, with programs in their place that print what public records show."""

import re
from pathlib import Path

import pytest

from rackwright.base import yaml_text
from rackwright.collect.collector import library
from rackwright.collect.probe.burn import drive, sections
from rackwright.collect.probe.burn import main as burn

CASES = Path(__file__).parents[2] / "cases" / "collectors"
MAP = (
    "NPU ID                         Chip ID                        Chip Logic ID                  Chip Name\n"
    "0                              0                              0                              Ascend 910B3\n"
    "0                              1                              -                              Mcu\n"
    "4                              0                              1                              Ascend 910B3\n"
)


def printed_by(identity, name, kind):
    """The words of the first section of a kind in a recorded output."""
    output = yaml_text.load((CASES / identity / f"{name}.yaml").read_text())["output"]
    return re.split(rf"^# {kind}\b.*\n", output, maxsplit=1, flags=re.MULTILINE)[1].split("\n# ")[0]


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """``tools(name, {words: output})``: a program that prints the output of the first words that its line holds."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(sections, "SAMPLE_SECONDS", 0.2)

    def make(name, answers, status=0):
        lines = ["#!/bin/sh"]
        for number, (words, output) in enumerate(answers.items()):
            (tmp_path / f"{name}.{number}").write_text(output)
            lines.append(f'case "$*" in *"{words}"*) cat {tmp_path}/{name}.{number}; sleep 0.1; exit {status} ;; esac')
        (tmp_path / name).write_text("\n".join([*lines, "echo no such words: $* >&2; exit 1", ""]))
        (tmp_path / name).chmod(0o755)

    return make


@pytest.fixture
def amd(tools):
    metric = printed_by("amd_gemm", "two_accelerators", "sample")
    listed = printed_by("amd_gemm", "two_accelerators", "list")
    static = printed_by("amd_gemm", "two_accelerators", "static")
    tools("amd-smi", {"list": listed, "static": static, "metric": metric, "version": printed_by("amd_copy", "two_accelerators", "version")})  # fmt: skip
    tools("hipblaslt-bench", {"--device": printed_by("amd_gemm", "two_accelerators", "gemm")})
    tools("hip-stream", {"--device": printed_by("amd_hbm", "two_runs", "stream")})
    tools("TransferBench", {"p2p": printed_by("amd_copy", "two_accelerators", "transferbench")})


@pytest.fixture
def ascend(tools):
    common = printed_by("ascend_gemm", "two_npus", "sample")
    tools("npu-smi", {"info -m": MAP, "-t board": printed_by("ascend_gemm", "two_npus", "board"), "-t common": common})
    speeds = printed_by("ascend_copy", "two_npus", "copy")
    flops = printed_by("ascend_gemm", "two_npus", "gemm")
    tools("ascend-dmi", {"-f -t fp16": flops, "d2d": printed_by("ascend_hbm", "two_runs", "memory"), "--bw": speeds, "-v": "7.1.RC1\n"})  # fmt: skip


def test_amd_products(amd, capfd):
    assert burn.main(["amd-gemm", "--seconds", "1"]) == 0
    record = library()["amd_gemm"].parse(capfd.readouterr().out)
    assert [device.index for device in record.devices] == [0, 1]
    for device in record.devices:
        (gemm,) = device.gemms
        assert set(gemm.tflops) == {1307.08}
        assert len(gemm.tflops) > 1
        assert gemm.seconds > 0.5
    assert record.devices[1].samples.power_watts[0] == 742


def test_amd_memory(amd, capfd):
    assert burn.main(["amd-hbm"]) == 0
    record = library()["amd_hbm"].parse(capfd.readouterr().out)
    assert [(device.index, device.bytes, device.copy_gbytes_per_s) for device in record.devices] == [
        (number, 2 << 30, [4177.2851] * 5) for number in (0, 1)
    ]


def test_amd_copies(amd, capfd):
    assert burn.main(["amd-copy"]) == 0
    record = library()["amd_copy"].parse(capfd.readouterr().out)
    assert (record.tool, record.driver_version, len(record.copies)) == ("TransferBench 1.64.00", "6.16.6", 6)


def test_ascend_products(ascend, capfd):
    assert burn.main(["ascend-gemm", "--seconds", "1"]) == 0
    record = library()["ascend_gemm"].parse(capfd.readouterr().out)
    assert [device.index for device in record.devices] == [0, 4]
    assert {rate for device in record.devices for rate in device.gemms[0].tflops} == {313.548}
    assert record.devices[0].samples.sm_clock_mhz[0] == 1000


def test_ascend_memory_and_copies(ascend, capfd):
    assert burn.main(["ascend-hbm"]) == 0
    assert {
        len(device.copy_gbytes_per_s) for device in library()["ascend_hbm"].parse(capfd.readouterr().out).devices
    } == {5}
    assert burn.main(["ascend-copy"]) == 0
    pairs = [
        (device.direction, device.source, device.target)
        for device in library()["ascend_copy"].parse(capfd.readouterr().out).copies
    ]
    assert pairs == [
        ("host_to_device", None, 0), ("host_to_device", None, 4), ("device_to_host", 0, None), ("device_to_host", 4, None),
        ("device_to_device", 0, 4), ("device_to_device", 4, 0),
    ]  # fmt: skip


A3_MAP = (
    "NPU ID                         Chip ID                        Chip Logic ID                  Chip Phy-ID                    Chip Name\n"
    "4                              0                              0                              8                              Ascend910\n"
    "4                              1                              1                              9                              Ascend910\n"
    "4                              2                              -                              -                              Mcu\n"
)
A3_COMMON = """
        NPU ID                         : 4
        Chip Count                     : 2

        Chip ID                        : 0
        Temperature(C)                 : 40
        NPU Real-time Power(W)         : 600.5

        Chip ID                        : 1
        Temperature(C)                 : 47

        Chip ID                        : 2
        Chip Name                      : mcu
        Temperature(C)                 : 30
"""


def test_chips_of_one_card_are_known_by_their_own_numbers(ascend, tools, capfd):
    """npu-smi of Atlas A3: each chip has a number of its own (Phy-ID), which is that of its device file; the serial is that of the card."""
    card = "        NPU ID : 4\n        Serial Number : S4\n        Software Version : 25.5.1\n"
    answers = {f"-t board -i 4 -c {chip}": f"        NPU ID : 4\n        PCIe Bus Info : 0000:8{bus}:00.0\n" for chip, bus in ((0, "D"), (1, "F"))}  # fmt: skip
    tools("npu-smi", {"info -m": A3_MAP, **answers, "-t board -i 4": card, "-t common -i 4": A3_COMMON})
    assert burn.main(["ascend-gemm", "--seconds", "1"]) == 0
    devices = library()["ascend_gemm"].parse(capfd.readouterr().out).devices
    assert [(device.index, device.uuid, device.serial, device.pci_bus_id[4:]) for device in devices] == [
        (8, "S4-0", "S4", "0000:8d:00.0"), (9, "S4-1", "S4", "0000:8f:00.0"),
    ]  # fmt: skip
    assert [device.samples.temperature_celsius[0] for device in devices] == [40, 47]


def test_a_tool_that_fails_is_no_verdict(amd, tools, capfd):
    tools("hipblaslt-bench", {"--device": ""}, status=7)
    assert burn.main(["amd-gemm", "--seconds", "1"]) == burn.CANNOT
    assert "hipblaslt-bench" in capfd.readouterr().err


def test_a_tool_that_is_not_there_is_named(capfd):
    assert burn.main(["ascend-hbm"]) == burn.CANNOT
    assert "ascend-dmi is not installed" in capfd.readouterr().err


def test_what_ports_and_links_carried_stands_beside_a_collective(tools, tmp_path, monkeypatch, capfd):
    table = (
        "the minbytes is 16777216, maxbytes is 8589934592, iters is 20, warmup_iters is 5\n"
        "data_size(Bytes): | aveg_time(us): | alg_bandwidth(GB/s): | check_result:\n"
        "8589934592 | 98173.5 | 87.5 | success\n"
    )
    links = "hccs link  tx_bandwidth(GB/S)  rx_bandwidth(GB/S)\n0  150.0  150.0\ntotal  150.0  150.0\n"
    tools("mpirun", {"_test": table})
    for name in drive.COLLECTIVES:
        tools(f"{name}_test", {"": ""})
    tools("npu-smi", {"info -m": MAP, "hccs-bw": links})
    tools("hccn_tool", {"-stat -g": "packet statistics:\nmac_tx_total_pkt_num:7\nmac_tx_total_oct_num:4096\n"})
    monkeypatch.setattr(drive, "device_count", lambda _pattern: 2)
    assert burn.main(["hccl"]) == 0
    results = library()["hccl_test"].parse(capfd.readouterr().out).results
    assert [result.collective for result in results] == ["all_reduce", "all_gather", "reduce_scatter", "all_to_all"]
    assert {way for result in results for rank in result.ranks for way in rank.transports} == {"p2p"}


def test_without_their_tools_nothing_is_proven(tools, monkeypatch, capfd):
    rows = "data_size(Bytes): | aveg_time(us): | alg_bandwidth(GB/s): | check_result:\n1024 | 1.0 | 1.0 | success\n"
    tools("mpirun", {"_test": rows})
    for name in drive.COLLECTIVES:
        tools(f"{name}_test", {"": ""})
    monkeypatch.setattr(drive, "device_count", lambda _pattern: 2)
    assert burn.main(["hccl"]) == 0
    results = library()["hccl_test"].parse(capfd.readouterr().out).results
    assert {tuple(rank.transports) for result in results for rank in result.ranks} == {()}
