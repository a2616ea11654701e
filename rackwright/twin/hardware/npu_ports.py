"""Network ports of the NPUs of a twin node, for the collector's tool and for the stand-in of hccn_tool on hosts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rackwright.twin.hardware.state import MachinePort, TwinMachine

PREFIX = "npu"
RECEIVE, TRANSMIT = (0.1445, 3.5481), (0.2818, 3.5481)
"""Thresholds in mW of a module of an NPU (Ascend/mind-cluster, user guide of ascend-faultdiag)."""
SENT = 1.5849
"""mW, as 2 dBm."""
DARK = 0.0001
"""mW, and less is no light."""
COUNTED = (
    "mac_tx_pfc_pkt_num",
    "mac_rx_pfc_pkt_num",
    "mac_tx_bad_pkt_num",
    "mac_rx_bad_pkt_num",
    "roce_rx_err_pkt_num",
    "roce_tx_err_pkt_num",
    "roce_out_of_order_num",
    "roce_verification_err_num",
    "roce_qp_status_err_num",
    "roce_new_pkt_rty_num",
)
"""Of the packet statistics that hccn_tool prints, those that tell of pauses and faults, in its order (tool_display_stat_info of its source)."""


@dataclass(frozen=True)
class NpuPortState:
    """One port."""

    up: bool
    health: str
    received: tuple[float, ...]
    """By lane, in mW."""
    dark: bool
    counters: Mapping[str, int]


def npu_ports(machine: TwinMachine) -> dict[str, MachinePort]:
    """The ports of `machine` that are NPUs' own, by number of the NPU."""
    return {
        number: nic
        for nic in machine.nics
        if nic.name.startswith(PREFIX) and (number := nic.name.removeprefix(PREFIX)).isdecimal() and nic.link.present
    }


def port_state(nic: MachinePort) -> NpuPortState:
    """What the NPU of `nic` reports of it."""
    received = tuple(round(10 ** (dbm / 10), 4) for dbm in nic.link.light_dbm)
    return NpuPortState(
        up=nic.link.up,
        health="Init" if nic.link.up else "Unreachable",
        received=received,
        dark=all(power <= DARK for power in received),
        counters={name: nic.link.counters.get(name, 0) for name in COUNTED},
    )


def document(nic: MachinePort) -> dict[str, object]:
    """The ports for the stand-in on a host, with the values that their modules report."""
    state = port_state(nic)
    switch, switch_port = nic.link.far or ("", "")
    return {
        "up": state.up,
        "health": state.health,
        "optical": {"Rx": state.received, "Tx": (SENT,) * len(state.received)},
        "thresholds": {"Rx": RECEIVE, "Tx": TRANSMIT},
        "dark": state.dark,
        "counters": dict(state.counters),
        "switch": switch,
        "switch_port": switch_port,
    }
