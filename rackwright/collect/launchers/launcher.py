"""The shape of a launcher: a command on some nodes in, one raw `Output` out, whatever happens.

A command sees the variables of a Slurm step (``SLURM_PROCID``, ``SLURM_NTASKS``, ``SLURM_JOB_NODELIST``, ``SLURM_JOB_ID``) on
whatever it was started by, so that one script serves all launchers.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rackwright.collect.output import Output

START_SECONDS = 60.0
"""What a scheduler may take to start a command on nodes that are free."""
KILL_SECONDS = 5
"""Seconds between the request to end and the kill."""

SAY_BOOT = 'printf "# boot %s\\n" "$(cat /proc/sys/kernel/random/boot_id)"; '
"""What a task does before its command: it says in which boot its node is (`tasks.joined` takes that away again)."""

LEASH = """
exec 3<&0
"$@" </dev/null 3<&- & load=$!
{ cat <&3; kill -TERM $load; } >/dev/null 2>&1 & leash=$!
wait $load; status=$?
kill $leash 2>/dev/null
exit $status
"""
"""Runs its arguments and ends them when its input closes: when we are gone, the load goes too."""


@dataclass(frozen=True)
class Launch:
    """One command on some nodes, one task per node."""

    subject: str
    nodes: tuple[str, ...]
    command: tuple[str, ...]
    seconds: float
    accelerators: int
    """Of each node."""
    own_lines: tuple[str, ...] = ()
    """See `collector.Collector`."""
    first_lines: tuple[str, ...] = ()


class Launcher(Protocol):
    """A way to start a command on several nodes."""

    async def launch(self, request: Launch) -> Output:
        """What the command printed. A failure is an error in the Output; collector, subject and nodes are the caller's to set."""
        ...


def leashed(argv: Sequence[str], seconds: float, by: Sequence[str] = ()) -> str:
    """`argv` as one command line for a login shell: it ends after `seconds`, and when nobody holds its input any more.

    `by` is what runs all of it (`Access.as_root`): an account cannot end what runs as root.
    """
    limited = ["timeout", f"--kill-after={KILL_SECONDS}", f"{seconds:.0f}", *argv]
    return "exec " + shlex.join([*by, "sh", "-c", LEASH, "rackwright", *limited])
