"""Faults of NVLink: links, NVSwitches, the NVLink domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults.changes import (
    change_every_gpu,
    change_gpu,
    set_board,
    set_gpu,
    set_gpu_health,
    set_performance,
)
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware.state import State


def lose_next_tray(state: State, nodes: Sequence[str]) -> State:
    """Each node loses the tray that follows it in the order of the design."""
    trays = [name for name, machine in state.machines.items() if machine.gpus]
    for node in nodes:
        state = set_board(imex_lost=(trays[(trays.index(node) + 1) % len(trays)],))(state, [node])
    return state


FAULTS = (
    Fault(
        name="imex-peer-lost",
        summary="The IMEX daemon of a tray does not reach another tray of its NVLink domain",
        apply=lose_next_tray,
        checks={"nvlink.imex"},
        names={"UNAVAILABLE"},
        needs="nvlink-domain",
    ),
    Fault(
        name="manager-fatal",
        summary="The fabric manager has logged a fatal error of an NVSwitch",
        apply=set_board(
            manager_errors=(
                "detected NVSwitch fatal error 20034 on fid 0 on NVSwitch pci bus id 00000000:07:00.0 physical id 2 port 30",
            )
        ),
        checks={"nvlink.manager_log"},
        names={"fatal error 20034"},
    ),
    Fault(
        name="multicast-off",
        summary="Switches do not reduce: collectives fall back from NVLS to a ring",
        apply=set_performance(multicast=False),
        checks={"collective.path"},
        names={"p2p"},
        needs="nvlink",
    ),
    Fault(
        name="nvlink-all-down",
        summary="All NVLinks of a GPU are down, and its collectives go through host memory",
        apply=change_gpu(3, lambda gpu: replace(gpu, nvlinks=(False,) * len(gpu.nvlinks))),
        checks={"nvlink.links"},
        names={"GPU {gpu[3]}"},
        masks={"collective.in_node", "collective.path"},
        elsewhere={"collective.across_nodes", "collective.ports"},
        needs="nvlink",
    ),
    Fault(
        name="nvlink-clique-split",
        summary="A GPU is in another clique of its NVLink domain",
        apply=set_gpu_health(7, clique=2),
        checks={"nvlink.domain"},
        names={"GPU {gpu[7]}"},
    ),
    Fault(
        name="nvlink-down",
        summary="One NVLink of a GPU is down",
        apply=change_gpu(2, lambda gpu: replace(gpu, nvlinks=(*gpu.nvlinks[:-1], False))),
        checks={"nvlink.links"},
        names={"GPU {gpu[2]}"},
        # A collective with one partner may fall just below what is degraded, and with the others stay just above.
        elsewhere={"collective.across_nodes"},
        needs="nvlink",
    ),
    Fault(
        name="nvlink-errors",
        summary="The NVLinks of a GPU count CRC errors",
        apply=set_gpu(6, nvlink_crc_errors=4217),
        checks={"nvlink.errors"},
        names={"GPU {gpu[6]}"},
    ),
    Fault(
        name="nvlink-fabric-degraded",
        summary="The NVLink fabric of a GPU reports lost bandwidth",
        apply=set_gpu_health(0, fabric_degraded=True),
        checks={"nvlink.fabric_health"},
        names={"GPU {gpu[0]}"},
    ),
    Fault(
        name="nvlink-not-joined",
        summary="A GPU has not joined the NVLink fabric",
        apply=set_gpu_health(4, fabric_joined=False),
        checks={"nvlink.fabric_state"},
        names={"GPU {gpu[4]}"},
    ),
    Fault(
        name="nvlink-plane-down",
        summary="The NVLinks of all GPUs to one NVSwitch are down",
        apply=change_every_gpu(lambda gpu: replace(gpu, nvlinks=(*gpu.nvlinks[:-4], *[False] * len(gpu.nvlinks[-4:])))),
        checks={"nvlink.links"},
        names={"GPU {gpu[0]}"},
        needs="nvlink",
    ),
    Fault(
        name="nvlink-plane-slow",
        summary="A plane of NVSwitches is slow for all GPUs of a node",
        apply=set_performance(links=0.75),
        checks={"collective.in_node"},
        names={"all_reduce"},
        needs="nvlink",
    ),
    Fault(
        name="nvlink-recoveries",
        summary="One NVLink trains anew again and again",
        apply=set_gpu_health(2, link_recoveries=(0, 0, 0, 0, 6)),
        checks={"nvlink.recoveries"},
        names={"NVLink 4"},
    ),
    Fault(
        name="nvlink-replays",
        summary="One NVLink repeats packets",
        apply=set_gpu_health(5, link_replays=(0, 0, 40_213)),
        checks={"nvlink.replays"},
        names={"NVLink 2"},
    ),
    Fault(
        name="nvlink-slow",
        summary="One NVLink runs at half of its rate",
        apply=set_gpu_health(3, slow_links=(7,)),
        checks={"nvlink.rate"},
        names={"NVLink 7"},
    ),
    Fault(
        name="nvlink-stray",
        summary="NVLinks of a GPU do not end at an NVSwitch",
        apply=set_gpu_health(1, direct_links=(4, 5)),
        checks={"nvlink.peers"},
        names={"GPU {gpu[1]}"},
    ),
    Fault(
        name="nvswitch-missing",
        summary="An NVSwitch is not on the bus",
        apply=set_board(nvswitches_missing=(2,)),
        checks={"nvlink.switches"},
        names={"3 (0000:05:00.0"},
    ),
)
