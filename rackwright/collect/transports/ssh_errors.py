"""The meaning of a failed SSH connection, in one sentence with a next step.

A separate module, so that it can be tested without a network.
"""

from __future__ import annotations

import socket
from pathlib import Path

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access

PORT = 22
"""The default port of sshd; messages name the port only when it differs."""


def no_key(path: Path, reason: str) -> OutsideError:
    """The error for an SSH key that we cannot use: reported once, not for every host."""
    return OutsideError(f"SSH key {path} cannot be used, {reason} in control.ssh.identity_file or RACKWRIGHT_SSH_KEY")


def known_unreadable(path: Path, error: OSError) -> OutsideError:
    """The error for a known_hosts file that we cannot read."""
    return OutsideError(
        f"known_hosts file {path} cannot be read ({error.strerror}): "
        "write the keys of the hosts there (`ssh-keyscan`, compared with what the consoles show), "
        "or name another one in control.ssh.known_hosts_file or RACKWRIGHT_KNOWN_HOSTS"
    )


def sentence(error: Exception, access: Access, address: str, port: int, limit: float) -> str:
    """Why `address` did not answer; `limit` is the limit of the whole conversation in seconds."""
    import paramiko  # what asks by other means does without: it takes as long to import as a short verb runs

    where = address if port == PORT else f"{address} port {port}"
    if isinstance(error, paramiko.BadHostKeyException):
        return (
            f"{where} showed another host key than {access.known_hosts} has: find out whether the machine was replaced"
        )
    if isinstance(error, paramiko.AuthenticationException):
        return f"{where} refused the key {access.ssh_key} of user {access.ssh_user}: put its public half on the host"
    if isinstance(error, TimeoutError):
        return f"{where} did not answer in time (limit {limit:g} s in all): check its power, network and load"
    if isinstance(error, OSError) and not isinstance(error, socket.gaierror):
        return f"{where} cannot be reached ({error.strerror or error}): check that the host runs and its sshd listens"
    words = str(error)
    if "not found in known_hosts" in words:
        return f"{where} has no host key in {access.known_hosts}: add it there after checking it"
    if "protocol banner" in words and isinstance(error.__context__, EOFError | ConnectionError):
        return f"{where} closed the connection before it identified itself: check its sshd and what stands in between"
    if "protocol banner" in words:
        return f"{where} accepted the connection and then sent nothing: its sshd hangs, restart it"
    if isinstance(error, EOFError) or not words:
        return f"{where} closed the connection: look at the log of its sshd"
    if words == "No existing session":
        return f"{where} began to talk and then stopped: its sshd or the network hangs, restart it"
    return f"{where} failed ({words}): look at the log of its sshd"
