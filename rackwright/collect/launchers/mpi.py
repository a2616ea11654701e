"""Starts tests by ``mpirun`` on the first node of each: for nodes that are in no scheduler yet.

Open MPI reaches the other nodes over SSH by their names, so the nodes must trust each
other; the variables of a Slurm step are made from those of Open MPI. What they print passes the first of them, and nodes that let each other in
could speak for each other: a test by mpirun is the word of all its nodes together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from rackwright.collect.launchers.launcher import SAY_BOOT, Launch
from rackwright.collect.launchers.remote import RemoteHost
from rackwright.collect.launchers.tasks import joined
from rackwright.collect.output import Output
from rackwright.model.access import Access

AS_STEP = (
    f"{SAY_BOOT}export SLURM_PROCID=$OMPI_COMM_WORLD_RANK SLURM_NTASKS=$OMPI_COMM_WORLD_SIZE "
    'SLURM_JOB_NODELIST="$0" SLURM_JOB_ID=$PMIX_NAMESPACE; exec "$@"'
)
"""What each task runs its command by (mpirun manual, environment variables)."""


TAG = re.compile(rb"\[[^\[\],\s]+,(\d+)\]<stdout>:")
"""What ``--tag-output`` puts before each line and each piece of one: job and rank (Open MPI 4.1, orte/mca/iof/base/iof_base_output.c; with a space
after it in Open MPI 5, openpmix/openpmix src/common/pmix_iof.c, read 2026-11-22)."""


class Mpi:
    """`launcher.Launcher` by mpirun over SSH; `addresses` is by node."""

    def __init__(self, access: Access, addresses: Mapping[str, str]) -> None:
        self._access, self._addresses = access, addresses

    async def launch(self, request: Launch) -> Output:
        """The output of all tasks, as mpirun joins it."""
        first = RemoteHost(request.nodes[0], self._addresses[request.nodes[0]], self._access)
        output = await first.run(request, mpirun(request), "mpirun")
        head, by_rank = split_by_rank(output.stdout)
        return joined(
            output, request, {request.nodes[rank]: by_rank[rank] for rank in by_rank if rank < len(request.nodes)}, head
        )


def split_by_rank(output: bytes) -> tuple[bytes, Mapping[int, bytes]]:
    """What mpirun itself printed, and what each task printed, by rank.

    Open MPI 4 passes output on in pieces of 4 KiB, which end anywhere: lines of tasks that print at the same time come torn, and only the tags
    say which pieces belong together.
    """
    first, *tail = TAG.split(output)
    pieces = tail[1::2]
    space = int(bool(pieces) and all(piece.startswith(b" ") for piece in pieces))
    by_rank: dict[int, list[bytes]] = defaultdict(list)
    for rank, piece in zip(tail[::2], pieces, strict=True):
        by_rank[int(rank)].append(piece[space:])
    return first, {rank: b"".join(by_rank[rank]) for rank in sorted(by_rank)}


def mpirun(launch: Launch) -> list[str]:
    """The argument list: one task on each node, in the order of the nodes."""
    return [
        "mpirun",
        "--allow-run-as-root",
        "--tag-output",
        "--host",
        ",".join(f"{node}:1" for node in launch.nodes),
        "-np",
        str(len(launch.nodes)),
        "--map-by",
        "ppr:1:node",
        "--bind-to",
        "none",
        "sh",
        "-c",
        AS_STEP,
        ",".join(launch.nodes),
        *launch.command,
    ]
