"""Faults of the PCIe links of GPUs and adapters."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults.changes import change_every_gpu, change_gpu, set_adapter, set_board, set_gpu, set_gpu_health
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="nic-gen3",
        summary="The adapter of a rail trained to PCIe generation 3",
        apply=set_adapter(5, nic_links=(3, 16)),
        checks={"pcie.adapter_link"},
        names={"{slot[5]}"},
    ),
    Fault(
        name="nic-small-reads",
        summary="An adapter reads memory in small pieces",
        apply=set_adapter(0, nic_read_requests=512),
        checks={"pcie.read_request"},
        names={"{slot[0]}"},
        refused=False,
    ),
    Fault(
        name="nic-tiny-reads",
        summary="An adapter reads memory in the smallest pieces",
        apply=set_adapter(6, nic_read_requests=128),
        checks={"pcie.read_request"},
        names={"{slot[6]}"},
        refused=False,
    ),
    Fault(
        name="nic-x8",
        summary="The adapter of a rail trained to eight lanes",
        apply=set_adapter(2, nic_links=(5, 8)),
        checks={"pcie.adapter_link"},
        names={"{slot[2]}"},
    ),
    Fault(
        name="pcie-acs-on",
        summary="Access Control Services are on above a GPU",
        apply=set_gpu_health(3, acs=("SrcValid", "ReqRedir", "CmpltRedir", "UpstreamFwd")),
        checks={"pcie.acs"},
        names={"0000:4d:00.0"},
    ),
    Fault(
        name="pcie-aer-correctable",
        summary="A PCIe port corrects errors all the time",
        apply=set_board(bus_errors=(("0000:4d:00.0", "correctable", 412),)),
        checks={"pcie.aer"},
        names={"0000:4d:00.0"},
    ),
    Fault(
        name="pcie-aer-fatal",
        summary="A PCIe port has seen a fatal error",
        apply=set_board(bus_errors=(("0000:a3:00.0", "fatal", 1),)),
        checks={"pcie.aer"},
        names={"0000:a3:00.0"},
    ),
    Fault(
        name="pcie-fatal-status",
        summary="A GPU has seen a fatal error of its host link",
        apply=set_gpu_health(6, fatal_bus_error=True),
        checks={"pcie.device_errors"},
        names={"{bus[6]}.0"},
    ),
    Fault(
        name="pcie-foreign-switch",
        summary="The adapter of a rail sits below another PCIe switch than its GPU",
        apply=set_gpu_health(2, foreign_switch=True),
        checks={"pcie.topology"},
        names={"{bus[2]}.0"},
    ),
    Fault(
        name="pcie-gen3",
        summary="A GPU trained to PCIe generation 3",
        apply=set_gpu(2, pcie_generation=3),
        checks={"pcie.generation"},
        names={"GPU {gpu[2]}"},
        needs="nvidia",
    ),
    Fault(
        name="pcie-generation-reduced",
        summary="A GPU trained one PCIe generation below its own",
        apply=change_gpu(4, lambda gpu: replace(gpu, pcie_generation=gpu.pcie_generation - 1)),
        checks={"pcie.generation"},
        names={"GPU {gpu[4]}"},
        needs="nvidia",
    ),
    Fault(
        name="pcie-numa-wrong",
        summary="The firmware says that all GPUs hang on the first socket",
        apply=change_every_gpu(lambda gpu: replace(gpu, health=replace(gpu.health, numa_node=0))),
        checks={"pcie.numa"},
        names={"on node 0"},
    ),
    Fault(
        name="pcie-replay-storm",
        summary="The host link of a GPU repeats packets",
        apply=set_gpu(5, pcie_replays=90_412),
        checks={"pcie.replays"},
        names={"GPU {gpu[5]}"},
    ),
    Fault(
        name="pcie-small-payload",
        summary="A GPU uses small PCIe packets",
        apply=set_gpu_health(5, max_payload=128),
        checks={"pcie.max_payload"},
        names={"{bus[5]}.0"},
    ),
    Fault(
        name="pcie-width-reduced",
        summary="A GPU trained to half of its PCIe lanes",
        apply=change_gpu(1, lambda gpu: replace(gpu, pcie_width=gpu.pcie_width // 2)),
        checks={"pcie.width"},
        names={"GPU {gpu[1]}"},
    ),
)
