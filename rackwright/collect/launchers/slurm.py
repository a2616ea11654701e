"""Starts tests as steps of Slurm: ``srun`` on the controller, one task per node with all accelerators of the node.

The nodes must be in service for Slurm: it starts nothing on a node that it has drained.
"""

from __future__ import annotations

from dataclasses import replace

from rackwright.collect.launchers import srun_lines
from rackwright.collect.launchers.launcher import SAY_BOOT, START_SECONDS, Launch
from rackwright.collect.launchers.remote import RemoteHost
from rackwright.collect.launchers.tasks import joined
from rackwright.collect.output import Output


class SlurmLauncher:
    """`launcher.Launcher` by srun."""

    def __init__(self, controller: RemoteHost, partition: str, *, gres: bool = True) -> None:
        self._controller, self._partition, self._gres = controller, partition, gres

    async def launch(self, request: Launch) -> Output:
        """The output of all tasks; each line belongs to the node of the task with which srun labels it."""
        output = await self._controller.run(request, srun(request, self._partition, gres=self._gres), "srun")
        nodes = srun_lines.nodes_of_tasks(output.stderr)
        printed = {nodes.get(task, ""): words for task, words in srun_lines.by_task(output.stdout).items()}
        if strangers := printed.keys() - set(request.nodes):
            named = ", ".join(sorted(strangers)).strip(", ") or "nodes that it does not name"
            return replace(output, error=output.error or f"srun ran tasks of the test on {named}")
        output = replace(output, stderr=srun_lines.errors(output.stderr, nodes))
        return joined(output, request, printed)


def srun(launch: Launch, partition: str, *, gres: bool) -> list[str]:
    """The argument list of srun.

    A node that Slurm cannot give within `START_SECONDS` fails the test instead of delaying its round.
    """
    minutes = -(-round(launch.seconds) // 60)
    accelerators = [f"--gres=gpu:{launch.accelerators}"] if gres and launch.accelerators else []
    return [
        "srun",
        "--label",
        "--verbose",
        "--job-name=rackwright-test",
        f"--partition={partition}",
        f"--nodelist={','.join(launch.nodes)}",
        f"--nodes={len(launch.nodes)}",
        f"--ntasks={len(launch.nodes)}",
        "--ntasks-per-node=1",
        "--distribution=block",
        "--exclusive",
        *accelerators,
        f"--immediate={START_SECONDS:.0f}",
        f"--time={minutes}",
        "--kill-on-bad-exit=1",
        "--",
        "sh",
        "-c",
        f'{SAY_BOOT}exec "$@"',
        "rackwright",
        *launch.command,
    ]
