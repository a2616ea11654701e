"""Rails as perftest prints them, under the line of our driver that names each.

Printed forms: linux-rdma/perftest 4.5 to 24.10,
src/perftest_parameters.c and cuda_memory.c. It stands among the programs of the hosts, because those print it too.
"""

from __future__ import annotations

from typing import Any

Data = dict[str, Any]
RULE = "-" * 87
LINKS = {"infiniband": "IB", "ethernet": "Ethernet"}
BEGIN, WORD_BYTES = 1000, 4
"""Where counters of the twin stand before a test; what they count (Linux, Documentation/ABI/stable/sysfs-class-infiniband)."""


def bandwidth(tool: str, rails: list[Data]) -> str:
    """Output of ``ib_write_bw`` on every rail."""
    return _version(tool) + "".join(head(rail) + counted(rail, write_bw(rail)) for rail in rails)


def latency(tool: str, rails: list[Data]) -> str:
    """Output of ``ib_write_lat`` on every rail."""
    return _version(tool) + "".join(head(rail) + counted(rail, write_lat(rail)) for rail in rails)


def ring(tool: str, flows: list[Data]) -> str:
    """Output of ``ib_write_bw`` around a ring; every line begins with its node and adapter."""
    return _version(tool) + "".join(
        _flow_label(flow, head(flow) + counted(_with_port(flow), write_bw(flow))) for flow in flows
    )


def _flow_label(flow: Data, text: str) -> str:
    return "".join(f"{flow['node']}/{flow['adapter']}| {line}\n" for line in text.splitlines())


def _with_port(flow: Data) -> Data:
    """The flow with the counter of its own port; without a port if that was not counted."""
    if flow["sent_bytes"] is None:
        return {**flow, "ports": []}
    return {**flow, "ports": [{"adapter": flow["adapter"], "sent_bytes": flow["sent_bytes"], "received_bytes": 0}]}


def _version(tool: str) -> str:
    number = tool.removeprefix("perftest").strip()
    return f"# perftest {number}\n" if number else ""


def head(rail: Data) -> str:
    """The line of our driver that names the rail."""
    to = f" to={rail['peer_adapter']}" if "peer_adapter" in rail else ""
    gpu = "" if rail.get("accelerator") is None else f" gpu={rail['accelerator']}"
    return f"# rail node={rail['node']} adapter={rail['adapter']} peer={rail['peer']}{to}{gpu}\n"


def counted(rail: Data, text: str) -> str:
    """`text` between the counters of all ports before and after; they begin at `BEGIN`, and one that ran backwards ends at 0."""
    ports = rail["ports"]
    before = "".join(f" {port['adapter']}={BEGIN},{BEGIN}" for port in ports)
    after = "".join(f" {port['adapter']}={_ends(port['sent_bytes'])},{_ends(port['received_bytes'])}" for port in ports)
    return f"# counters before{before}\n{text}# counters after{after}\n"


def _ends(moved: int | None) -> int:
    return 0 if moved is None else BEGIN + moved // WORD_BYTES


def iterations(rail: Data) -> int:
    """Number of iterations that the tool prints."""
    return int((rail["reported_bytes"] or 0) // rail["bytes"]) if rail["bytes"] else 0


def write_bw(rail: Data) -> str:
    """The tool's own output on one rail."""
    kind = "RDMA_Write Bidirectional BW Test" if rail.get("bidirectional") else "RDMA_Write BW Test"
    row = f" {rail['bytes']}    {iterations(rail)}            0.00               {rail['gbits_per_s']!r}             0.005827"
    columns = " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]"
    facts = _facts(rail["adapter"], rail["link"])
    return "\n".join([*_memory(rail), RULE, f"                    {kind}", *facts, RULE, columns, row, RULE, ""])


def write_lat(rail: Data) -> str:
    """The tool's own output on one rail; without a 99 % reading in the format of older versions."""
    columns = " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]"
    typical, most, nearly = rail["microseconds_typical"], rail["microseconds_most"], rail["microseconds_99"]
    cells = [rail["bytes"], iterations(rail), typical, most, typical]
    if nearly is not None:
        columns += "    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]"
        cells += [typical, 0.05, nearly, most]
    row = " " + "       ".join(repr(cell) for cell in cells)
    title = "                    RDMA_Write Latency Test"
    return "\n".join([RULE, title, *_facts(rail["adapter"], "infiniband"), RULE, columns, row, RULE, ""])


def _memory(rail: Data) -> list[str]:
    if rail["accelerator"] is None:
        return []
    options = [
        "initializing CUDA",
        f"Picking device No. {rail['accelerator']}",
        "cuMemAlloc() of a 67108864 bytes GPU buffer",
    ]
    return (
        [*options, "using DMA-BUF for GPU buffer address at 0x7f3dfa600000"]
        if rail["gpudirect"] == "dmabuf"
        else options
    )


def _facts(adapter: str, link: str) -> list[str]:
    kind = f" Link type       : {LINKS[link]}" if link in LINKS else " Mtu             : 4096[B]"
    return [
        f" Dual-port       : OFF\t\tDevice         : {adapter}",
        " Number of qps   : 4\t\tTransport type : IB",
        kind,
    ]
