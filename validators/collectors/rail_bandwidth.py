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
SCRIPT = """\
nodes=$SLURM_JOB_NODELIST
case $nodes in *\\[*) nodes=$(scontrol show hostnames "$nodes") ;; *) nodes=$(echo "$nodes" | tr , ' ') ;; esac
set -- $nodes; a=$1; b=$2; port=18515
[ "$SLURM_PROCID" = 0 ] && me=$a peer=$b || me=$b peer=$a
[ "$SLURM_PROCID" = 0 ] && ib_write_bw --version 2>&1 | sed -n 's/^Version: /# perftest /p'
count() {
  for c in /sys/class/infiniband/*/ports/1/counters; do
    [ -r "$c/port_xmit_data" ] && [ -r "$c/port_rcv_data" ] || continue
    n=${c#/sys/class/infiniband/}; printf ' %s=%s,%s' "${n%%/*}" "$(cat "$c/port_xmit_data")" "$(cat "$c/port_rcv_data")"
  done
}
for turn in 0 1; do for rail in {rails}; do
  d=${rail%%=*}; g=${rail##*=}; port=$((port + 1))
  set -- ib_write_bw -d "$d" -p "$port" -F --report_gbits -s 8388608 -D 10 -q 4 {memory}
  if [ "$SLURM_PROCID" = "$turn" ]; then "$@" > /dev/null 2>&1; else
    for again in 1 2 3 4 5; do
      sleep 2; was=$(count); said=$("$@" "$peer" 2>&1); is=$(count)
      case $said in *"Couldn't connect"*) ;; *) break ;; esac
    done
    printf '# rail node=%s adapter=%s peer=%s gpu=%s\\n# counters before %s\\n%s\\n# counters after %s\\n' "$me" "$d" "$peer" "$g" "${was# }" "$said" "${is# }"
  fi
done; done
"""


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
    vendors=("nvidia", "amd"),
    load=True,
)
