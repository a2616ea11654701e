"""Latency of every rail between two nodes: ``ib_write_lat`` of two bytes on each adapter.

Started by ``srun`` with one task on each of two nodes; ``{rails}`` as for the bandwidth.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import perftest
from rackwright.model.evidence.rail import RailDelay, RailLatency

MOST, TYPICAL, NEARLY_ALL = 3, 4, 7
"""Columns ``t_max``, ``t_typical`` and ``99% percentile``."""
SCRIPT = perftest.pair_script("ib_write_lat", "-s 2 -n 20000", first_port=19515, wait_seconds=1)


def parse(output: str) -> RailLatency:
    """The last row of every rail."""
    return RailLatency(
        tool=f"perftest {perftest.version(output)}".strip(),
        rails=[_rail(section) for section in perftest.sections(output)],
    )


def _rail(section: perftest.PerftestSection) -> RailDelay:
    row = section.rows[-1]
    if "t_typical[usec]" not in section.header or len(row) <= TYPICAL:
        raise ParseError(section.line, section.header, "a table with t_typical[usec]")
    return RailDelay(
        node=section.node,
        adapter=section.adapter,
        peer=section.peer,
        bytes=int(row[0]),
        microseconds_typical=row[TYPICAL],
        microseconds_99=row[NEARLY_ALL] if len(row) > NEARLY_ALL else None,
        microseconds_most=row[MOST],
        reported_bytes=section.reported_bytes,
        ports=list(section.ports),
    )


COLLECTOR = Collector(
    produces=RailLatency,
    parse=parse,
    seconds=300,
    roles=("accelerator",),
    command=("sh", "-c", SCRIPT),
    scope="group",
    own_lines=perftest.OWN_LINES,
    vendors=("nvidia", "amd"),
    load=True,
)
