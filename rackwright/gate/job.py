"""Shows that accepted nodes run jobs.

The job requests every accelerator of a node and prints its node and its devices. This finds nodes that Slurm reports as
idle but that cannot start a job.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Run = Callable[[Sequence[str]], tuple[int, str, str]]
"""Runs an argument list where `srun` works: exit status, standard output, standard error."""
JOB = "rackwright-acceptance"
DEVICES = "CUDA_VISIBLE_DEVICES"
"""Set by Slurm for a step with ``--gres=gpu`` (srun manual, output environment)."""
NO_DEVICE = {"", "NoDevFiles"}
"""Values of that variable in a step without devices."""


@dataclass(frozen=True)
class JobProof:
    """The result of the job."""

    answered: tuple[str, ...]
    """Nodes that ran the job with all their accelerators, in the order requested."""
    silent: tuple[str, ...]
    says: str


def prove_job(
    nodes: Mapping[str, int], partition: str, run: Run, *, minutes: int = 2, wait_seconds: int = 60
) -> JobProof:
    """Run one job on all `nodes` (name -> accelerators) at once; each node that stays silent gets another job alone.

    `minutes` limits a job, `wait_seconds` (at least 1) the wait for its nodes to be free. Nodes with different counts
    go into separate jobs, because a job requests the same from every node.
    """
    groups: dict[int, list[str]] = defaultdict(list)
    for node, count in nodes.items():
        groups[count].append(node)
    answered: set[str] = set()
    errors: dict[str, None] = {}
    for count, members in sorted(groups.items()):
        jobs = [members]
        while jobs:
            job = jobs.pop(0)
            status, output, error = run(command(job, count, partition, minutes, wait_seconds))
            answered |= {
                node
                for node, count_printed in parse_job_output(output).items()
                if count_printed == count and node in job
            }
            if status and error.strip():
                errors[error.strip().split("\n")[-1]] = None
            if len(job) > 1:  # a job on many nodes does not start if one of them cannot: find out which
                jobs += [[node] for node in job if node not in answered]
    silent = tuple(node for node in nodes if node not in answered)
    says = f"{len(answered)} of {len(nodes)} accepted nodes ran a job with all their accelerators"
    if silent:
        says += f"; silent: {', '.join(silent)}" + (f" ({'; '.join(errors)})" if errors else "")
    return JobProof(tuple(node for node in nodes if node in answered), silent, says)


def command(nodes: Sequence[str], accelerators: int, partition: str, minutes: int, wait_seconds: int) -> list[str]:
    """The `srun` command of the proof: one task per node, output labelled by task; it gives up if nodes stay busy."""
    return [
        "srun",
        f"--job-name={JOB}",
        f"--partition={partition}",
        f"--nodes={len(nodes)}",
        "--ntasks-per-node=1",
        f"--nodelist={','.join(nodes)}",
        *([f"--gres=gpu:{accelerators}"] if accelerators else []),
        f"--time={minutes}",
        f"--immediate={wait_seconds}",
        "--label",
        "printenv",
        "SLURMD_NODENAME",
        *([DEVICES] if accelerators else []),
    ]


def parse_job_output(output: str) -> dict[str, int]:
    """Node -> number of accelerators in the job: each task prints its node, then the list of its devices."""
    tasks: dict[str, list[str]] = defaultdict(list)
    for line in output.splitlines():
        task, colon, text = line.partition(": ")
        if colon and task.strip().isdecimal():
            tasks[task.strip()].append(text.strip())
    return {lines[0]: len({*lines[1].split(",")} - NO_DEVICE) if lines[1:] else 0 for lines in tasks.values()}
