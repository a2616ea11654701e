"""Starts tests by ``mpirun`` on the first node of each test: for nodes that are in no scheduler yet.

Open MPI reaches the other nodes over SSH by their names, so the nodes must trust each other; the variables of a Slurm
step are made from those of Open MPI. All output passes through the first node, and nodes that trust each other could
forge each other's output: the result of a test by mpirun counts for all its nodes together.
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
"""Shell command that each task runs its command by (mpirun manual, environment variables)."""


TAG = re.compile(rb"\[[^\[\],\s]+,(\d+)\]<stdout>:")
"""Prefix that ``--tag-output`` puts before each line and each piece of one: job and rank (Open MPI 4.1,
orte/mca/iof/base/iof_base_output.c; with a space after it in Open MPI 5, openpmix/openpmix src/common/pmix_iof.c, read
2026-11-22).
"""


class Mpi:
    """`launcher.Launcher` by mpirun over SSH; `addresses` are by node."""

    def __init__(self, access: Access, addresses: Mapping[str, str]) -> None:
        self._access, self._addresses = access, addresses

    async def launch(self, request: Launch) -> Output:
        """The output of all tasks, in the order of the nodes."""
        first = RemoteHost(request.nodes[0], self._addresses[request.nodes[0]], self._access)
        output = await first.run(request, mpirun(request), "mpirun")
        head, by_rank = split_by_rank(output.stdout)
        return joined(
            output, request, {request.nodes[rank]: by_rank[rank] for rank in by_rank if rank < len(request.nodes)}, head
        )


def split_by_rank(output: bytes) -> tuple[bytes, Mapping[int, bytes]]:
    """Output of mpirun itself, and the output of each task by rank.

    Open MPI 4 forwards output in pieces of 4 KiB that end anywhere: lines of tasks that print at the same time arrive
    torn, and only the tags show which pieces belong together.
    """
    first, *tail = TAG.split(output)
    pieces = tail[1::2]
    space = int(bool(pieces) and all(piece.startswith(b" ") for piece in pieces))
    by_rank: dict[int, list[bytes]] = defaultdict(list)
    for rank, piece in zip(tail[::2], pieces, strict=True):
        by_rank[int(rank)].append(piece[space:])
    return first, {rank: b"".join(by_rank[rank]) for rank in sorted(by_rank)}


def mpirun(launch: Launch) -> list[str]:
    """The argument list of mpirun: one task on each node, in the order of the nodes."""
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
