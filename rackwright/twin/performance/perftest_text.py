"""Rails as perftest prints them, under the line of our driver that names each. In: records. Out: text."""

from __future__ import annotations

from rackwright.model.evidence.rail import RailBandwidth, RailDelay, RailLatency, RailSpeed

RULE = "-" * 87
LINKS = {"infiniband": "IB", "ethernet": "Ethernet"}
BEGIN, WORD_BYTES = 1000, 4
"""Where counters of the twin stand before a test; what they count (Linux, Documentation/ABI/stable/sysfs-class-infiniband)."""


def bandwidth(seen: RailBandwidth) -> str:
    """What ``ib_write_bw`` says on every rail."""
    return _version(seen.tool) + "".join(
        head(one.node, one.adapter, one.peer, one.accelerator) + counted(one, write_bw(one)) for one in seen.rails
    )


def latency(seen: RailLatency) -> str:
    """What ``ib_write_lat`` says on every rail."""
    return _version(seen.tool) + "".join(
        head(one.node, one.adapter, one.peer, None) + counted(one, write_lat(one)) for one in seen.rails
    )


def _version(tool: str) -> str:
    number = tool.removeprefix("perftest").strip()
    return f"# perftest {number}\n" if number else ""


def head(node: str, adapter: str, peer: str, gpu: int | None) -> str:
    """The line of our driver."""
    return f"# rail node={node} adapter={adapter} peer={peer}{'' if gpu is None else f' gpu={gpu}'}\n"


def counted(one: RailSpeed | RailDelay, said: str) -> str:
    """`said` between the counters of all ports before and after; they begin at `BEGIN`, and one that ran backwards ends at 0."""
    before = "".join(f" {port.adapter}={BEGIN},{BEGIN}" for port in one.ports)
    after = "".join(f" {port.adapter}={_ends(port.sent_bytes)},{_ends(port.received_bytes)}" for port in one.ports)
    return f"# counters before{before}\n{said}# counters after{after}\n"


def _ends(moved: int | None) -> int:
    return 0 if moved is None else BEGIN + moved // WORD_BYTES


def iterations(one: RailSpeed | RailDelay) -> int:
    """What the tool prints as their number."""
    return (one.reported_bytes or 0) // one.bytes if one.bytes else 0


def write_bw(one: RailSpeed) -> str:
    """The tool's own output on one rail."""
    kind = "RDMA_Write Bidirectional BW Test" if one.bidirectional else "RDMA_Write BW Test"
    row = f" {one.bytes}    {iterations(one)}            0.00               {one.gbits_per_s!r}             0.005827"
    columns = " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]"
    return "\n".join(
        [
            *_memory(one),
            RULE,
            f"                    {kind}",
            *_facts(one.adapter, one.link),
            RULE,
            columns,
            row,
            RULE,
            "",
        ]
    )


def write_lat(one: RailDelay) -> str:
    """The tool's own output on one rail; without a 99 % reading as older versions print it."""
    columns = " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]"
    cells = [one.bytes, iterations(one), one.microseconds_typical, one.microseconds_most, one.microseconds_typical]
    if one.microseconds_99 is not None:
        columns += "    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]"
        cells += [one.microseconds_typical, 0.05, one.microseconds_99, one.microseconds_most]
    row = " " + "       ".join(repr(cell) for cell in cells)
    return "\n".join(
        [
            RULE,
            "                    RDMA_Write Latency Test",
            *_facts(one.adapter, "infiniband"),
            RULE,
            columns,
            row,
            RULE,
            "",
        ]
    )


def _memory(one: RailSpeed) -> list[str]:
    if one.accelerator is None:
        return []
    said = ["initializing CUDA", f"Picking device No. {one.accelerator}", "cuMemAlloc() of a 67108864 bytes GPU buffer"]
    return [*said, "using DMA-BUF for GPU buffer address at 0x7f3dfa600000"] if one.gpudirect == "dmabuf" else said


def _facts(adapter: str, link: str) -> list[str]:
    kind = f" Link type       : {LINKS[link]}" if link in LINKS else " Mtu             : 4096[B]"
    return [
        f" Dual-port       : OFF\t\tDevice         : {adapter}",
        " Number of qps   : 4\t\tTransport type : IB",
        kind,
    ]
