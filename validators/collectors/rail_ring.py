"""Bandwidth around a ring of nodes, every node and every rail at the same time: ``ib_write_bw``, from accelerator memory to accelerator memory.

Started by ``srun`` with one task on each node. ``{flows}`` is filled in by whoever starts it: for every flow the node, adapter and accelerator that
send and those that receive (``a/mlx5_0/0/b/mlx5_3/1``), so that a rail may send to another rail; ``{memory}`` as for the bandwidth of single
rails, whose message size, time and queue pairs are used too. All links between switches are under load at the same time, as
imbue-ai/cluster-health ib_burn (read 2026-07-29) has it. Every line that a flow prints begins with whose it is, because all nodes print at once.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import perftest
from rackwright.model.evidence.rail import RailRing, RingFlow

AVERAGE = 3
"""Column ``BW average``."""
SCRIPT = """\
nodes=$SLURM_JOB_NODELIST
case $nodes in *\\[*) nodes=$(scontrol show hostnames "$nodes") ;; *) nodes=$(echo "$nodes" | tr , ' ') ;; esac
set -- $nodes; shift "$SLURM_PROCID"; me=$1
[ "$SLURM_PROCID" = 0 ] && ib_write_bw --version 2>&1 | sed -n 's/^Version: /# perftest /p'
work=$(mktemp -d) || exit 1; trap 'rm -rf "$work"' EXIT; trap 'exit 143' TERM INT
run() { timeout -k 5 "$1" ib_write_bw -d "$2" -p "$3" -F --report_gbits -s 8388608 -D 10 -q 4 {memory} $4; }
counted() {
  c=/sys/class/infiniband/$2/ports/1/counters
  [ -r "$c/port_xmit_data" ] && [ -r "$c/port_rcv_data" ] || return 0
  printf '# counters %s %s=%s,%s\\n' "$1" "$2" "$(cat "$c/port_xmit_data")" "$(cat "$c/port_rcv_data")"
}
send() {
  d=$2 g=$3 peer=$4 to=$5 port=$6
  printf '# rail node=%s adapter=%s peer=%s to=%s gpu=%s\\n' "$me" "$d" "$peer" "$to" "$g"
  counted before "$d"
  for again in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    said=$(run 120 "$d" "$port" "$peer" 2>&1)
    case $said in *"Couldn't connect"*) sleep 2 ;; *) break ;; esac
  done
  printf '%s\\n' "$said"
  counted after "$d"
}
each() {
  port=20515
  for flow in {flows}; do
    port=$((port + 1)); was=$IFS; IFS=/; set -- $flow; IFS=$was
    if [ "$role" = server ] && [ "$4" = "$me" ]; then g=$6; run 170 "$5" "$port" > /dev/null 2>&1 & fi
    if [ "$role" = client ] && [ "$1" = "$me" ]; then send "$1" "$2" "$3" "$4" "$5" "$port" 2>&1 | sed "s,^,$me/$2| ," > "$work/$port" & fi
  done
}
role=server; each; sleep 2; role=client; each; wait
cat "$work"/*
"""


def parse(output: str) -> RailRing:
    """The last row of every flow; ParseError for a table in another unit than Gb/s, and for a flow whose receiver is not named."""
    flows = [_flow(section) for section in perftest.sections(output)]
    return RailRing(tool=f"perftest {perftest.version(output)}".strip(), flows=flows)


def _flow(section: perftest.PerftestSection) -> RingFlow:
    if "BW average[Gb/sec]" not in section.header:
        raise ParseError(section.line, section.header, "a table with BW average[Gb/sec]")
    if not section.to:
        raise ParseError(section.line, f"{section.node} {section.adapter}", "the adapter that receives (to=...)")
    registered = "dmabuf" if section.dmabuf else "peermem"
    return RingFlow(
        node=section.node,
        adapter=section.adapter,
        peer=section.peer,
        peer_adapter=section.to,
        link=section.link,  # type: ignore[arg-type]
        bytes=int(section.rows[-1][0]),
        gbits_per_s=section.rows[-1][AVERAGE],
        accelerator=section.gpu if section.accelerator_memory else None,
        gpudirect=registered if section.accelerator_memory else None,  # type: ignore[arg-type]
        reported_bytes=section.reported_bytes,
        sent_bytes=next((port.sent_bytes for port in section.ports if port.adapter == section.adapter), None),
    )


COLLECTOR = Collector(
    produces=RailRing,
    parse=parse,
    seconds=300,
    roles=("accelerator",),
    command=("sh", "-c", SCRIPT),
    scope="group",
    own_lines=perftest.OWN_LINES,
    vendors=("nvidia", "amd"),
    load=True,
)
