"""State, reason and GRES of every node as Slurm sees them: `scontrol show node`, whose JSON form older Slurm lacks."""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.scheduler import SchedulerNode

# Each begins with a letter that stands for itself: such patterns are found at once, and a site of 10,000 nodes has a block for each.
NAME = re.compile(r"NodeName=(\S+)")
STATE = re.compile(r"State=(?<=\sState=)(\S+)")
GRES = re.compile(r"\n\s*Gres=(.*)")
REASON = re.compile(r"\n\s*Reason=(.*?)(?: \[([^@\[\]\s]*)@[^\[\]]*\])?\s*(?:\n|$)")
CPUS = re.compile(r"CPUTot=(?<=\sCPUTot=)(\d+)")
MEMORY = re.compile(r"RealMemory=(?<=\sRealMemory=)(\d+)")
ABSENT = "(null)"
SILENT = "not_responding"
"""Of slurmd, to slurmctld: newer versions print it as a flag, older ones as a star behind the state (sinfo(1), node state codes)."""


def parse(output: str) -> list[SchedulerNode]:
    """One record per block, in the order of the output."""
    lines = output.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("NodeName=")]
    noise = next((number for number, line in enumerate(lines[: starts[0] if starts else None]) if line.strip()), None)
    if noise is not None or not starts:
        raise ParseError((noise or 0) + 1, lines[noise] if noise is not None else "", "NodeName= of scontrol show node")
    ends = [*starts[1:], len(lines)]
    return [_node(start + 1, "\n".join(lines[start:end])) for start, end in zip(starts, ends, strict=True)]


def _node(line: int, block: str) -> SchedulerNode:
    name, state, gres, reason = (pattern.search(block) for pattern in (NAME, STATE, GRES, REASON))
    if name is None or state is None:
        raise ParseError(line, block.splitlines()[0], "NodeName= and State= of a node")
    cpus, memory = (pattern.search(block) for pattern in (CPUS, MEMORY))
    gres_text = gres[1].strip() if gres else ""
    states = [word.strip("*~#!%$@^-").lower() for word in state[1].split("+")]
    return SchedulerNode(
        name=name[1],
        states=states,
        reason=reason[1] if reason else "",
        reason_by=(reason[2] or "") if reason else "",
        gres="" if gres_text == ABSENT else gres_text,
        cpus=int(cpus[1]) if cpus else None,
        memory_mib=int(memory[1]) if memory else None,
        answers="*" not in state[1] and SILENT not in states,
    )


COLLECTOR = Collector(
    produces=SchedulerNode,
    parse=parse,
    seconds=30,
    roles=("accelerator",),
    command=("scontrol", "show", "node"),
    scope="scheduler",
)
