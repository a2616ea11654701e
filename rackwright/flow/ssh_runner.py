"""Runs single commands on one host over SSH. The gate uses it to run scontrol on the Slurm controller.

One connection serves all calls; the first call opens it, and it is reopened after a failure. Every call has a time limit.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import paramiko

from rackwright.base.errors import OutsideError
from rackwright.collect.transports import ssh
from rackwright.model.access import Access

Runner = Callable[[Sequence[str]], tuple[int, str, str]]
COMMAND_SECONDS = 300
"""Longer than an acceptance job may wait for its nodes and run."""

NO_STATUS = -1
"""paramiko's value for a missing exit status."""


def runner(access: Access, address: str) -> Runner:
    """The callable for the host at `address`. Calls raise OutsideError if the host does not answer."""
    clients: list[paramiko.SSHClient] = []

    def run(argv: Sequence[str]) -> tuple[int, str, str]:
        if not clients or not _alive(clients[0]):
            clients[:] = [ssh.connect(access, address)]
        try:
            return _execute(clients[0], argv)
        except (paramiko.SSHException, OSError, EOFError) as failure:
            clients.pop().close()
            why = str(failure) or "it did not answer in time"
            raise OutsideError(
                f"{argv[0]} on {address} was cut off ({why}); look at the host, then run again"
            ) from failure

    return run


def _execute(client: paramiko.SSHClient, argv: Sequence[str]) -> tuple[int, str, str]:
    _, output, error = client.exec_command(shlex.join(argv), timeout=COMMAND_SECONDS)
    with ThreadPoolExecutor(1) as pool:  # a command that fills one output waits until somebody reads it
        error_text = pool.submit(error.read)
        output_text = output.read()
        status = output.channel.recv_exit_status()
    if status == NO_STATUS:
        raise EOFError("the connection ended before the command")
    return status, output_text.decode(errors="replace"), error_text.result().decode(errors="replace")


def _alive(client: paramiko.SSHClient) -> bool:
    transport = client.get_transport()
    return transport is not None and transport.is_active()
