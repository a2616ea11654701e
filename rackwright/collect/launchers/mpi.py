"""Starts tests by ``mpirun`` on the first node of each: for nodes that are in no scheduler yet.

In: access and addresses. Out: a launcher. Open MPI reaches the other nodes over SSH by their names, so the nodes must trust each
other; the variables of a Slurm step are made from those of Open MPI.
"""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.collect.launchers.launcher import Launch
from rackwright.collect.launchers.remote import Host
from rackwright.collect.output import Output
from rackwright.model.access import Access

AS_STEP = (
    "export SLURM_PROCID=$OMPI_COMM_WORLD_RANK SLURM_NTASKS=$OMPI_COMM_WORLD_SIZE "
    'SLURM_JOB_NODELIST="$0" SLURM_JOB_ID=$PMIX_NAMESPACE; exec "$@"'
)
"""What each task runs its command by (mpirun manual, environment variables)."""


class Mpi:
    """`launcher.Launcher` by mpirun over SSH; `addresses` is by node."""

    def __init__(self, access: Access, addresses: Mapping[str, str]) -> None:
        self._access, self._addresses = access, addresses

    async def launch(self, one: Launch) -> Output:
        """The output of all tasks, as mpirun joins it."""
        first = Host(one.nodes[0], self._addresses[one.nodes[0]], self._access)
        return await first.run(one, mpirun(one), "mpirun")


def mpirun(one: Launch) -> list[str]:
    """The argument list: one task on each node, in the order of the nodes."""
    return [
        "mpirun",
        "--allow-run-as-root",
        "--host",
        ",".join(f"{node}:1" for node in one.nodes),
        "-np",
        str(len(one.nodes)),
        "--map-by",
        "ppr:1:node",
        "--bind-to",
        "none",
        "sh",
        "-c",
        AS_STEP,
        ",".join(one.nodes),
        *one.command,
    ]
