"""Opens connections to switches for `configure`: SSH with the account, the key and the host keys of the site."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import paramiko

from rackwright.base.errors import OutsideError, UsageError
from rackwright.collect.transports import ssh
from rackwright.collect.transports.ssh_errors import PORT
from rackwright.configure.session import CommandRefusedError, LostReachError, SwitchSession
from rackwright.flow import ssh_runner
from rackwright.model.access import Access
from rackwright.model.design import Design
from rackwright.model.resource import DeclaredSwitch


def connector(design: Design, access: Access, port: int = PORT) -> Callable[[DeclaredSwitch], SwitchSession]:
    """A function that connects to switches as ``control.ssh.switch_user``. UsageError if the site declares none."""
    user = design.site.control.ssh.switch_user
    if user is None:
        raise UsageError(
            "nobody logs in to switches of this site: declare control.ssh.switch_user, an account that may change their configuration"
        )
    return with_account(replace(access, ssh_user=user, collect_user="", limited=True), port)


def with_account(access: Access, port: int = PORT) -> Callable[[DeclaredSwitch], SwitchSession]:
    """A function that connects to switches with the account of `access`."""

    def connect(switch: DeclaredSwitch) -> SwitchSession:
        try:
            return _ShellSession(ssh.connect(access, switch.address, port), switch.address)
        except OutsideError as error:
            raise LostReachError(str(error)) from error

    return connect


class _ShellSession:
    """A switch whose account has a shell: one command per channel."""

    def __init__(self, client: paramiko.SSHClient, address: str) -> None:
        self._client, self._address = client, address

    def run(self, command: str, text: str = "") -> str:
        """See `SwitchSession.run`."""
        try:
            status, output, errors = ssh_runner.execute(self._client, command, text)
        except (paramiko.SSHException, OSError, EOFError) as error:
            reason = str(error) or "it did not answer in time"
            raise LostReachError(f"{self._address} was cut off during `{command.split(' -')[0]}` ({reason})") from error
        if status:
            raise CommandRefusedError(command, errors or output)
        return output

    def close(self) -> None:
        """See `SwitchSession.close`."""
        self._client.close()
