"""Healthy records of the network: what the observers of a healthy twin of the example site say of its first node."""

from __future__ import annotations

from functools import cache

from rackwright.model.base import Record
from rackwright.model.evidence.adapter_witnesses import AdapterWitnesses, BmcCard, HostCard
from rackwright.model.evidence.fabric import Subnets
from rackwright.model.evidence.link import Links, Range
from rackwright.model.evidence.network import Ethernet, PortCounters, Rdma
from rackwright.model.evidence.npu_port import NpuPort, NpuPorts
from rackwright.model.evidence.switch_health import SubnetSwitches
from rackwright.model.evidence.switch_port import SwitchPorts
from rackwright.twin.hardware import state
from rackwright.twin.tools import ethernet, ibswinfo, link, link_soak, rdma, subnet, switch_ports

NODE, MANAGER = "train-001", "ufm-01"


@cache
def healthy() -> state.State:
    from tests.build import site_design

    return state.build(site_design(), [NODE, "train-002", MANAGER])


def observe(observer: object, node: str) -> Record:
    from tests.build import site_design

    record: Record = observer.observe(healthy(), site_design(), node)  # type: ignore[attr-defined]
    return record


def npu_ports() -> NpuPorts:
    """Of eight NPUs; the example site has none."""
    light = Range(values=[1.3183, 1.2589, 1.3804, 1.2303], least=0.1445, most=3.5481)
    counters = dict.fromkeys(
        ["mac_rx_pfc_pkt_num", "mac_tx_bad_pkt_num", "mac_rx_bad_pkt_num", "roce_verification_err_num"], 0
    )
    port = NpuPort(
        link="UP", net_health="Success", module=True, receive=light, transmit=light, lost=[], counters=counters
    )
    return NpuPorts(ports={str(number): port for number in range(8)})


def adapter_witnesses() -> AdapterWitnesses:
    """Of two adapters, whose BMC tells serial numbers, slots and GUIDs."""
    numbers = {"mlx5_0": "1", "mlx5_3": "4"}
    host = [
        HostCard(ports={name: f"0xb83fd2030000000{n}"}, address=f"0000:{n}8:00.0", slot=n, number=f"MT2317J0000{n}")
        for name, n in numbers.items()
    ]
    bmc = [
        BmcCard(
            names=[n], slot=f"PCIe Slot {n} ({n})", number=f"MT2317J0000{n}", guids=[f"0xb83fd2030000000{n}"], macs=[]
        )
        for n in numbers.values()
    ]
    return AdapterWitnesses(host=host, bmc=bmc)


SEEN = {
    AdapterWitnesses: adapter_witnesses,
    NpuPorts: npu_ports,
    Links: lambda: observe(link, NODE),
    Rdma: lambda: observe(rdma, NODE),
    PortCounters: lambda: observe(link_soak, NODE),
    Ethernet: lambda: observe(ethernet, NODE),
    Subnets: lambda: observe(subnet, MANAGER),
    SubnetSwitches: lambda: observe(ibswinfo, MANAGER),
    SwitchPorts: lambda: observe(switch_ports, MANAGER),
}
