"""Sections of perftest, one per rail: ``# rail node=A adapter=mlx5_0 peer=B gpu=0``, followed by the output of the
tool.

Shapes: linux-rdma/perftest 4.5 to 24.10 (src/perftest_parameters.c, cuda_memory.c, rocm_memory.c). Before and after the
tool's output come the counters of all ports of the sending node, ``# counters before mlx5_0=123,456``: port_xmit_data
and port_rcv_data, in words of four bytes (Linux, Documentation/ABI/stable/sysfs-class-infiniband). If all nodes print
at the same time, every line begins with its node and adapter, ``A/mlx5_0| ``. The result is the raw content of each
section; the collectors make their records of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rackwright.collect.collector import ParseError
from rackwright.model.evidence.rail import PortTraffic

RAIL = re.compile(
    r"^# rail node=(?P<node>\S+) adapter=(?P<adapter>\S+) peer=(?P<peer>\S+)(?: to=(?P<to>\S+))?(?: gpu=(?P<gpu>\d+))?\s*$"
)
WHOSE = re.compile(r"^(\S+/[^\s|]+)\| ?")
OWN_LINES = (r"(?:\S+/[^\s|]+\| ?)?# rail node=(\S+) ", r"([^\s/|]+)/[^\s|]+\|")
"""Patterns of lines that a node prints about itself (`collector.Collector`)."""
NEXT_NODE = "# task node="
"""Precedes the output of the next node (launchers/tasks.py)."""
FIELD = re.compile(r"\b(Link type|Device)\s*:\s*(\S+)")
COUNTERS = re.compile(r"^# counters (before|after)((?: [^\s=]+=\d+,\d+)*)\s*$")
PORT = re.compile(r" ([^\s=]+)=(\d+),(\d+)")
WORD_BYTES = 4
LINKS = {"IB": "infiniband", "Ethernet": "ethernet"}
VERSION = re.compile(r"^# perftest (\S+)")
FEWEST = 4
"""Least number of words of a row: size, iterations and at least two readings."""


@dataclass(frozen=True)
class PerftestSection:
    """The output of one tool on one rail."""

    line: int
    node: str
    adapter: str
    peer: str
    to: str
    """The adapter of the peer; empty if the driver does not name it, because it is the same."""
    gpu: int | None
    link: str
    accelerator_memory: bool
    dmabuf: bool
    bidirectional: bool
    header: str
    """Names of the columns, with their units."""
    rows: tuple[tuple[float, ...], ...]
    ports: tuple[PortTraffic, ...]

    @property
    def reported_bytes(self) -> int:
        """Payload of all iterations of the last row, in bytes."""
        return int(self.rows[-1][0]) * int(self.rows[-1][1])


def version(output: str) -> str:
    """The version of perftest that the driver printed first; empty without one."""
    return next((match[1] for line in output.splitlines() if (match := VERSION.match(line))), "")


def sections(output: str) -> list[PerftestSection]:
    """Every rail of `output`. ParseError for a rail without a table, and for an output without a rail."""
    blocks: list[tuple[int, re.Match[str], list[str]]] = []
    lines_of_node: list[str] = []
    for number, line in _lines_by_flow(output):
        if match := RAIL.match(line):
            blocks.append((number, match, []))
            lines_of_node = blocks[-1][2]
        elif line.startswith(NEXT_NODE):
            lines_of_node = []
        else:
            lines_of_node.append(line)
    if not blocks:
        raise ParseError(1, output, "a line # rail node=... adapter=... peer=...")
    return [_section(number, match, lines) for number, match, lines in blocks]


def _lines_by_flow(output: str) -> list[tuple[int, str]]:
    """Lines with their numbers; tagged lines are grouped by their tag, in the order of the first line of each."""
    by_tag: dict[str, list[tuple[int, str]]] = {}
    for number, line in enumerate(output.splitlines(), 1):
        whose = WHOSE.match(line)
        by_tag.setdefault(whose[1] if whose else "", []).append((number, line[whose.end() :] if whose else line))
    return [numbered for lines in by_tag.values() for numbered in lines]


def _section(number: int, match: re.Match[str], lines: list[str]) -> PerftestSection:
    text = "\n".join(lines)
    fields = dict(FIELD.findall(text))
    if fields.get("Device", match["adapter"]) != match["adapter"]:
        raise ParseError(number, match[0], f"output of {match['adapter']}, not of {fields['Device']}")
    header = next((line for line in lines if line.strip().startswith("#bytes")), None)
    rows = tuple(row for line in lines if (row := _numbers(line)))
    if header is None or not rows:
        first_line = next((line for line in lines if line.strip()), "nothing")
        raise ParseError(number, f"{match[0]}: {first_line.strip()}", "the table of perftest (#bytes ...)")
    return PerftestSection(
        line=number,
        node=match["node"],
        adapter=match["adapter"],
        peer=match["peer"],
        to=match["to"] or "",
        gpu=None if match["gpu"] is None else int(match["gpu"]),
        link=LINKS.get(fields.get("Link type", ""), "unknown"),
        accelerator_memory="cuMemAlloc()" in text or ("Using ROCm Device" in text and "bytes of GPU buffer" in text),
        dmabuf="using DMA-BUF" in text,
        bidirectional="Bidirectional" in text,
        header=header.strip(),
        rows=rows,
        ports=tuple(_ports(lines)),
    )


def _ports(lines: list[str]) -> list[PortTraffic]:
    """Traffic of every port that was counted both before and after."""
    counters: dict[str, dict[str, tuple[int, int]]] = {}
    for match in filter(None, map(COUNTERS.match, lines)):
        if match[2]:  # a node without such counters prints an empty line
            counters[match[1]] = {name: (int(sent), int(received)) for name, sent, received in PORT.findall(match[2])}
    before, after = counters.get("before", {}), counters.get("after", {})
    return PortTraffic.filled(
        {
            "adapter": name,
            "sent_bytes": _counter_difference(before[name][0], after[name][0]),
            "received_bytes": _counter_difference(before[name][1], after[name][1]),
        }
        for name in before
        if name in after
    )


def _counter_difference(before: int, after: int) -> int | None:
    return (after - before) * WORD_BYTES if after >= before else None


def _numbers(line: str) -> tuple[float, ...]:
    """The numbers of a row of the table; empty for any other line."""
    words = line.split()
    if len(words) < FEWEST or not words[0].isdigit():
        return ()
    try:
        return tuple(float(word) for word in words)
    except ValueError:
        return ()


PAIR_SCRIPT = """\
nodes=$SLURM_JOB_NODELIST
case $nodes in *\\[*) nodes=$(scontrol show hostnames "$nodes") ;; *) nodes=$(echo "$nodes" | tr , ' ') ;; esac
set -- $nodes; a=$1; b=$2; port=@FIRST_PORT@
[ "$SLURM_PROCID" = 0 ] && me=$a peer=$b || me=$b peer=$a
[ "$SLURM_PROCID" = 0 ] && @PROGRAM@ --version 2>&1 | sed -n 's/^Version: /# perftest /p'
count() {
  for c in /sys/class/infiniband/*/ports/1/counters; do
    [ -r "$c/port_xmit_data" ] && [ -r "$c/port_rcv_data" ] || continue
    n=${c#/sys/class/infiniband/}; printf ' %s=%s,%s' "${n%%/*}" "$(cat "$c/port_xmit_data")" "$(cat "$c/port_rcv_data")"
  done
}
for turn in 0 1; do for rail in {rails}; do
  d=${rail%%=*};@GPU@ port=$((port + 1))
  set -- @PROGRAM@ -d "$d" -p "$port" -F @ARGUMENTS@
  if [ "$SLURM_PROCID" = "$turn" ]; then "$@" > /dev/null 2>&1; else
    for again in 1 2 3 4 5; do
      sleep @WAIT@; was=$(count); said=$("$@" "$peer" 2>&1); is=$(count)
      case $said in *"Couldn't connect"*) ;; *) break ;; esac
    done
    printf '# rail node=%s adapter=%s peer=%s@GPU_FIELD@\\n# counters before %s\\n%s\\n# counters after %s\\n' "$me" "$d" "$peer"@GPU_VALUE@ "${was# }" "$said" "${is# }"
  fi
done; done
"""
"""Runs a program of perftest over every rail of two nodes, in both directions, with the port counters before and after
each run.
"""


def pair_script(program: str, arguments: str, *, first_port: int, wait_seconds: int, gpu: bool = False) -> str:
    """The shell script that both nodes run; with `gpu` every rail names an accelerator, and the script prints it."""
    values = {
        "PROGRAM": program,
        "ARGUMENTS": arguments,
        "FIRST_PORT": str(first_port),
        "WAIT": str(wait_seconds),
        "GPU": " g=${rail##*=};" if gpu else "",
        "GPU_FIELD": " gpu=%s" if gpu else "",
        "GPU_VALUE": ' "$g"' if gpu else "",
    }
    return re.sub("@([A-Z_]+)@", lambda match: values[match[1]], PAIR_SCRIPT)
