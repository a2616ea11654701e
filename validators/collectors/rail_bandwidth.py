"""Bandwidth of every rail between two nodes: ``ib_write_bw`` on each adapter, from accelerator memory to accelerator memory.

Started by ``srun`` with one task on each of two nodes; each node sends once. ``{rails}`` is filled in by whoever starts it: adapter and
accelerator of every rail (``mlx5_0=0 mlx5_3=1``), and ``{memory}``: how perftest takes accelerator memory on this vendor's parts. Eight MiB for ten seconds on four queue pairs, as oracle-quickstart/oci-hpc measures.
The counters of every port of the sender stand before and after, so that it is seen which port carried the bytes.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import perftest
from rackwright.model.evidence.rail import RailBandwidth, RailSpeed

AVERAGE = 3
"""Column ``BW average``."""
SCRIPT = perftest.pair_script(
    "ib_write_bw", "--report_gbits -s 8388608 -D 10 -q 4 {memory}", first_port=18515, wait_seconds=2, gpu=True
)


def parse(output: str) -> RailBandwidth:
    """The last row of every rail; ParseError for a table in another unit than Gb/s."""
    return RailBandwidth(
        tool=f"perftest {perftest.version(output)}".strip(),
        rails=[_rail(section) for section in perftest.sections(output)],
    )


def _rail(section: perftest.PerftestSection) -> RailSpeed:
    if "BW average[Gb/sec]" not in section.header:
        raise ParseError(section.line, section.header, "a table with BW average[Gb/sec]")
    registered = "dmabuf" if section.dmabuf else "peermem"
    return RailSpeed(
        node=section.node,
        adapter=section.adapter,
        peer=section.peer,
        link=section.link,  # type: ignore[arg-type]
        bytes=int(section.rows[-1][0]),
        gbits_per_s=section.rows[-1][AVERAGE],
        bidirectional=section.bidirectional,
        accelerator=section.gpu if section.accelerator_memory else None,
        gpudirect=registered if section.accelerator_memory else None,  # type: ignore[arg-type]
        reported_bytes=section.reported_bytes,
        ports=list(section.ports),
    )


COLLECTOR = Collector(
    produces=RailBandwidth,
    parse=parse,
    seconds=600,
    roles=("accelerator",),
    command=("sh", "-c", SCRIPT),
    scope="group",
    own_lines=perftest.OWN_LINES,
    vendors=("nvidia", "amd"),
    load=True,
)
