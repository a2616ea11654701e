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
    """What ``ib_write_bw`` says on every rail."""
    return _version(tool) + "".join(head(one) + counted(one, write_bw(one)) for one in rails)


def latency(tool: str, rails: list[Data]) -> str:
    """What ``ib_write_lat`` says on every rail."""
    return _version(tool) + "".join(head(one) + counted(one, write_lat(one)) for one in rails)


def ring(tool: str, flows: list[Data]) -> str:
    """What ``ib_write_bw`` says around a ring; every line begins with whose it is."""
    return _version(tool) + "".join(_whose(one, head(one) + counted(_with_port(one), write_bw(one))) for one in flows)


def _whose(one: Data, said: str) -> str:
    return "".join(f"{one['node']}/{one['adapter']}| {line}\n" for line in said.splitlines())


def _with_port(one: Data) -> Data:
    """The flow with the counter of its own port; one that was not counted has none."""
    if one["sent_bytes"] is None:
        return {**one, "ports": []}
    return {**one, "ports": [{"adapter": one["adapter"], "sent_bytes": one["sent_bytes"], "received_bytes": 0}]}


def _version(tool: str) -> str:
    number = tool.removeprefix("perftest").strip()
    return f"# perftest {number}\n" if number else ""


def head(one: Data) -> str:
    """The line of our driver."""
    to = f" to={one['peer_adapter']}" if "peer_adapter" in one else ""
    gpu = "" if one.get("accelerator") is None else f" gpu={one['accelerator']}"
    return f"# rail node={one['node']} adapter={one['adapter']} peer={one['peer']}{to}{gpu}\n"


def counted(one: Data, said: str) -> str:
    """`said` between the counters of all ports before and after; they begin at `BEGIN`, and one that ran backwards ends at 0."""
    ports = one["ports"]
    before = "".join(f" {port['adapter']}={BEGIN},{BEGIN}" for port in ports)
    after = "".join(f" {port['adapter']}={_ends(port['sent_bytes'])},{_ends(port['received_bytes'])}" for port in ports)
    return f"# counters before{before}\n{said}# counters after{after}\n"


def _ends(moved: int | None) -> int:
    return 0 if moved is None else BEGIN + moved // WORD_BYTES


def iterations(one: Data) -> int:
    """What the tool prints as their number."""
    return int((one["reported_bytes"] or 0) // one["bytes"]) if one["bytes"] else 0


def write_bw(one: Data) -> str:
    """The tool's own output on one rail."""
    kind = "RDMA_Write Bidirectional BW Test" if one.get("bidirectional") else "RDMA_Write BW Test"
    row = f" {one['bytes']}    {iterations(one)}            0.00               {one['gbits_per_s']!r}             0.005827"
    columns = " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]"
    facts = _facts(one["adapter"], one["link"])
    return "\n".join([*_memory(one), RULE, f"                    {kind}", *facts, RULE, columns, row, RULE, ""])


def write_lat(one: Data) -> str:
    """The tool's own output on one rail; without a 99 % reading as older versions print it."""
    columns = " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]"
    typical, most, nearly = one["microseconds_typical"], one["microseconds_most"], one["microseconds_99"]
    cells = [one["bytes"], iterations(one), typical, most, typical]
    if nearly is not None:
        columns += "    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]"
        cells += [typical, 0.05, nearly, most]
    row = " " + "       ".join(repr(cell) for cell in cells)
    title = "                    RDMA_Write Latency Test"
    return "\n".join([RULE, title, *_facts(one["adapter"], "infiniband"), RULE, columns, row, RULE, ""])


def _memory(one: Data) -> list[str]:
    if one["accelerator"] is None:
        return []
    said = [
        "initializing CUDA",
        f"Picking device No. {one['accelerator']}",
        "cuMemAlloc() of a 67108864 bytes GPU buffer",
    ]
    return [*said, "using DMA-BUF for GPU buffer address at 0x7f3dfa600000"] if one["gpudirect"] == "dmabuf" else said


def _facts(adapter: str, link: str) -> list[str]:
    kind = f" Link type       : {LINKS[link]}" if link in LINKS else " Mtu             : 4096[B]"
    return [
        f" Dual-port       : OFF\t\tDevice         : {adapter}",
        " Number of qps   : 4\t\tTransport type : IB",
        kind,
    ]
