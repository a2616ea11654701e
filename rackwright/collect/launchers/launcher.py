"""The shape of a launcher: runs a command on some nodes and returns one raw `Output`, also after a failure.

Every launcher gives the command the variables of a Slurm step (``SLURM_PROCID``, ``SLURM_NTASKS``,
``SLURM_JOB_NODELIST``, ``SLURM_JOB_ID``), so that one script serves all launchers.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rackwright.collect.output import Output

START_SECONDS = 60.0
"""Time in which a scheduler must start a command on free nodes."""
KILL_SECONDS = 5
"""Seconds between SIGTERM and SIGKILL."""

SAY_BOOT = 'printf "# boot %s\\n" "$(cat /proc/sys/kernel/random/boot_id)"; '
"""What a task runs before its command: it prints the boot id of its node, which `tasks.joined` removes again."""

LEASH = """
exec 3<&0
"$@" </dev/null 3<&- & load=$!
{ cat <&3; kill -TERM $load; } >/dev/null 2>&1 & leash=$!
wait $load; status=$?
kill $leash 2>/dev/null
exit $status
"""
"""Runs its arguments and ends them when its input closes: if the connection is lost, the load ends too."""


@dataclass(frozen=True)
class Launch:
    """One command on some nodes, one task per node."""

    subject: str
    nodes: tuple[str, ...]
    command: tuple[str, ...]
    seconds: float
    accelerators: int
    """Accelerators of each node."""
    own_lines: tuple[str, ...] = ()
    """See `collector.Collector`."""
    first_lines: tuple[str, ...] = ()


class Launcher(Protocol):
    """A way to start a command on several nodes."""

    async def launch(self, request: Launch) -> Output:
        """The output of the command.

        A failure is an error in the Output; the caller sets collector, subject and nodes.
        """
        ...


def leashed(argv: Sequence[str], seconds: float, by: Sequence[str] = ()) -> str:
    """`argv` as one command line for a login shell; it ends after `seconds`, or when its standard input closes.

    `by` is the prefix that runs all of it (`Access.as_root`): an ordinary account cannot end a process of root.
    """
    limited = ["timeout", f"--kill-after={KILL_SECONDS}", f"{seconds:.0f}", *argv]
    return "exec " + shlex.join([*by, "sh", "-c", LEASH, "rackwright", *limited])
