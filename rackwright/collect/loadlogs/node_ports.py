"""Traffic of the RDMA ports of every node while a program ran: ``# counters node=train-001 when=before
mlx5_0=123,456``.

The numbers are port_xmit_data and port_rcv_data, in words of four bytes (Linux,
Documentation/ABI/stable/sysfs-class-infiniband). This module holds the shell text that prints such lines before and
after a program, once per node, and their parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rackwright.model.evidence.collective import NodePort

COUNTED = """\
count() {
  l=$(for c in /sys/class/infiniband/*/ports/1/counters; do
    [ -r "$c/port_xmit_data" ] && [ -r "$c/port_rcv_data" ] || continue
    n=${c#/sys/class/infiniband/}; printf ' %s=%s,%s' "${n%%/*}" "$(cat "$c/port_xmit_data")" "$(cat "$c/port_rcv_data")"
  done)
  [ -z "$l" ] || printf '# counters node=%s when=%s%s\\n' "$(uname -n | cut -d. -f1)" "$1" "$l"
}
count before; "$0" "$@"; status=$?; count after; exit "$status"
"""
"""For ``sh -c``: the program and its arguments follow. A node without such counters prints nothing."""
LINE = re.compile(r"^# counters node=(\S+) when=(before|after)((?: [^\s=]+=\d+,\d+)+)\s*$")
PORT = re.compile(r" ([^\s=]+)=(\d+),(\d+)")
WORD_BYTES = 4


def read(lines: Iterable[str]) -> list[NodePort]:
    """Traffic of every port that was counted both before and after, by node and name."""
    counters: dict[tuple[str, str], dict[str, tuple[int, int]]] = {}
    for line in lines:
        if match := LINE.match(line):
            for name, sent, received in PORT.findall(match[3]):
                counters.setdefault((match[1], name), {})[match[2]] = (int(sent), int(received))
    return [
        NodePort(
            node=node,
            adapter=adapter,
            sent_bytes=_counter_difference(counts["before"][0], counts["after"][0]),
            received_bytes=_counter_difference(counts["before"][1], counts["after"][1]),
        )
        for (node, adapter), counts in sorted(counters.items())
        if len(counts) > 1
    ]


def _counter_difference(before: int, after: int) -> int | None:
    return (after - before) * WORD_BYTES if after >= before else None
