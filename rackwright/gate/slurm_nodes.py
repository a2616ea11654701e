"""Parses the output of `scontrol --oneliner show node`."""

from __future__ import annotations

import re
from dataclasses import dataclass

STATE = re.compile(r"\bState=(\S+)")
REASON = re.compile(r"\bReason=(.*?)(?: \[([^\[\]@]*)@[^\[\]]*\])?(?=\s+Comment=|\s+Extra=|\s*$)")
"""A reason ends with its author and time (`[root@2026-11-21T10:00:00]`)."""
MARKS = "*$@~#!%^-"
"""Suffixes of a state word (scontrol(1), node states); the star means that slurmd does not answer."""
SILENT = "not_responding"
NAME = re.compile(r"^NodeName=(\S+)")


@dataclass(frozen=True)
class SlurmNode:
    """One node as Slurm reports it."""

    name: str
    state: str
    """Base state, lower case (``idle``, ``down``)."""
    flags: frozenset[str]
    """Flags, lower case (``drain``, ``not_responding``)."""
    reason: str
    reason_by: str
    printed_reason: str
    """The reason as Slurm prints it, with its author and time: it differs if the same reason is set again."""

    @property
    def drained(self) -> bool:
        """True if Slurm gives the node no new jobs because of a drain."""
        return bool({"drain", "fail", "draining", "drained"} & {self.state, *self.flags})

    @property
    def answers(self) -> bool:
        """False if slurmctld does not reach slurmd on the node (sinfo(1), node state codes: ``*``, which newer versions
        print as a flag).
        """
        return SILENT not in self.flags

    @property
    def words(self) -> str:
        """The state as Slurm prints it."""
        return "+".join([self.state, *sorted(self.flags)])


def parse(text: str) -> dict[str, SlurmNode]:
    """The nodes of one `scontrol` answer, by name; lines without a node are skipped."""
    nodes = (_node(line.strip()) for line in text.splitlines())
    return {node.name: node for node in nodes if node is not None}


def _node(line: str) -> SlurmNode | None:
    name, state = NAME.search(line), STATE.search(line)
    if name is None or state is None:
        return None
    base, *flags = (word.strip(MARKS) for word in state[1].lower().split("+"))
    if "*" in state[1]:
        flags.append(SILENT)
    reason = REASON.search(line)
    return SlurmNode(
        name=name[1],
        state=base,
        flags=frozenset(flags),
        reason=reason[1].strip() if reason else "",
        reason_by=(reason[2] or "") if reason else "",
        printed_reason=line.partition("Reason=")[2].strip(),
    )
