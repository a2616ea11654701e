"""Puts together what the tasks of a test printed, one per node: whose line it is says who carried it here, never the line itself.

Who carries it is srun, which labels every line, the API of Kubernetes, which keeps one log for each pod, or mpirun, which tags its pieces. A line
by which one node speaks for another spoils the test: the sentence names who printed it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from rackwright.collect.launchers.launcher import Launch
from rackwright.collect.output import Output

TASK = "# task node={}\n"
"""Stands before what each node of several printed, so that no table goes on in the words of the next node."""
HEADS = (r"^# task node=(\S+)",)
BOOT = re.compile(rb"# boot ([0-9a-f-]{1,64})?\n")
"""What `launcher.SAY_BOOT` prints first."""
MOST_CHARACTERS = 120


def joined(output: Output, request: Launch, by_node: Mapping[str, bytes], head: bytes = b"") -> Output:
    """`output` with what each node of `request` printed, in their order behind `head`, and the boot in which each was."""
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
    """One sentence for each node that speaks for another, about the first such line."""
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
