"""Latency of every rail between two nodes: ``ib_write_lat`` of two bytes on each adapter.

Started by ``srun`` with one task on each of two nodes; ``{rails}`` as for the bandwidth.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import perftest
from rackwright.model.evidence.rail import RailDelay, RailLatency

MOST, TYPICAL, NEARLY_ALL = 3, 4, 7
"""Columns ``t_max``, ``t_typical`` and ``99% percentile``."""
SCRIPT = """\
nodes=$SLURM_JOB_NODELIST
case $nodes in *\\[*) nodes=$(scontrol show hostnames "$nodes") ;; *) nodes=$(echo "$nodes" | tr , ' ') ;; esac
set -- $nodes; a=$1; b=$2; port=19515
[ "$SLURM_PROCID" = 0 ] && me=$a peer=$b || me=$b peer=$a
[ "$SLURM_PROCID" = 0 ] && ib_write_lat --version 2>&1 | sed -n 's/^Version: /# perftest /p'
count() {
  for c in /sys/class/infiniband/*/ports/1/counters; do
    [ -r "$c/port_xmit_data" ] && [ -r "$c/port_rcv_data" ] || continue
    n=${c#/sys/class/infiniband/}; printf ' %s=%s,%s' "${n%%/*}" "$(cat "$c/port_xmit_data")" "$(cat "$c/port_rcv_data")"
  done
}
for turn in 0 1; do for rail in {rails}; do
  d=${rail%%=*}; port=$((port + 1))
  set -- ib_write_lat -d "$d" -p "$port" -F -s 2 -n 20000
  if [ "$SLURM_PROCID" = "$turn" ]; then "$@" > /dev/null 2>&1; else
    for again in 1 2 3 4 5; do
      sleep 1; was=$(count); said=$("$@" "$peer" 2>&1); is=$(count)
      case $said in *"Couldn't connect"*) ;; *) break ;; esac
    done
    printf '# rail node=%s adapter=%s peer=%s\\n# counters before %s\\n%s\\n# counters after %s\\n' "$me" "$d" "$peer" "${was# }" "$said" "${is# }"
  fi
done; done
"""


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
    vendors=("nvidia", "amd"),
    load=True,
)
