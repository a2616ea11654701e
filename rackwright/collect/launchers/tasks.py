"""Joins the output of the tasks of a test, one per node.

The node of a line is taken from the carrier, never from the line itself: srun labels every line, the API of Kubernetes
keeps one log for each pod, and mpirun tags its pieces. A line in which one node poses as another spoils the test: the
error names the node that printed it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from rackwright.collect.launchers.launcher import Launch
from rackwright.collect.output import Output

TASK = "# task node={}\n"
"""Precedes the output of each node if there are several, so that no table continues in the output of the next node."""
HEADS = (r"^# task node=(\S+)",)
BOOT = re.compile(rb"# boot ([0-9a-f-]{1,64})?\n")
"""What `launcher.SAY_BOOT` prints first."""
MOST_CHARACTERS = 120


def joined(output: Output, request: Launch, by_node: Mapping[str, bytes], head: bytes = b"") -> Output:
    """`output` with the output of each node of `request`, in their order after `head`, and the boot id of each node."""
    boots, printed_by = {}, {}
    for node in request.nodes:
        printed = by_node.get(node, b"")
        boot = BOOT.match(printed)
        boots[node] = (boot[1] or b"").decode() if boot else ""
        printed_by[node] = printed[boot.end() :] if boot else printed
    several = len(request.nodes) > 1
    parts = [TASK.format(node).encode() + words if several and words else words for node, words in printed_by.items()]
    return replace(
        output,
        stdout=head + b"".join(parts),
        boots=tuple(boots.values()) if any(boots.values()) else (),
        error=output.error or "; ".join(_foreign_words(request, printed_by)),
    )


def _foreign_words(request: Launch, by_node: Mapping[str, bytes]) -> Iterator[str]:
    """One sentence for each node that poses as another, about the first such line."""
    of_node = [re.compile(pattern) for pattern in (*HEADS, *request.own_lines)]
    first = [re.compile(pattern) for pattern in request.first_lines]
    for node, printed in by_node.items():
        for line in printed.decode(errors="replace").splitlines():
            names = [match[1] for pattern in of_node if (match := pattern.match(line))]
            speaker = next((name for name in names if name != node), "")
            if not names and node != request.nodes[0] and any(pattern.match(line) for pattern in first):
                speaker = request.nodes[0]
            if speaker:
                cut = line[:MOST_CHARACTERS]
                yield f"{node} printed what {speaker} alone can say ({cut!r}): the test does not count, find out what answers there"
                break
