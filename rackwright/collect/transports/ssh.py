"""One connection to one host, for callers that wait for each command: the gate on the Slurm controller.

Host keys are strict: a host that `known_hosts` does not name is refused. For many hosts at once use `fleet`.
"""

from __future__ import annotations

import logging
import socket
from pathlib import Path

import paramiko

from rackwright.base.errors import OutsideError
from rackwright.collect.transports.connection_limits import Patience
from rackwright.collect.transports.ssh_errors import known_unreadable, no_key, sentence
from rackwright.model.access import Access

logging.getLogger("paramiko").setLevel(logging.CRITICAL)  # it prints tracebacks of errors that we turn into sentences


def connect(access: Access, address: str, port: int = 22, patience: Patience | None = None) -> paramiko.SSHClient:
    """An open connection to one host; OutsideError with one sentence if it fails."""
    trust = (_key(access.ssh_key), _load_host_keys(access.known_hosts))
    client = paramiko.SSHClient()
    limits = patience or Patience()
    try:
        _connect(client, access, trust, address, port, limits)
    except Exception as error:
        client.close()
        raise OutsideError(sentence(error, access, address, port, limits.connect_seconds)) from error
    return client


def _key(path: Path) -> paramiko.PKey:
    try:
        return paramiko.PKey.from_path(path.expanduser())
    except paramiko.PasswordRequiredException:
        reason = "it has a passphrase: name a key without one"
    except OSError as error:
        reason = f"{error.strerror}: name another one"
    except (paramiko.SSHException, paramiko.pkey.UnknownKeyType, ValueError, TypeError):
        reason = "it is not a private key: name another one"
    raise no_key(path, reason)


def _load_host_keys(path: Path) -> paramiko.HostKeys:
    try:
        return paramiko.HostKeys(str(path.expanduser()))
    except OSError as error:
        raise known_unreadable(path, error) from error


def _link(address: str, port: int, patience: Patience) -> socket.socket:
    link = socket.create_connection((address, port), timeout=patience.connect_seconds)
    link.setsockopt(
        socket.IPPROTO_TCP, socket.TCP_NODELAY, 1
    )  # each command is small, and the next waits for its answer
    return link


def _connect(
    client: paramiko.SSHClient,
    access: Access,
    trust: tuple[paramiko.PKey, paramiko.HostKeys],
    address: str,
    port: int,
    patience: Patience,
) -> None:
    key, host_keys = trust
    name = address if port == paramiko.config.SSH_PORT else f"[{address}]:{port}"
    client.set_missing_host_key_policy(paramiko.RejectPolicy())
    for kind, host_key in (host_keys.lookup(name) or {}).items():
        client.get_host_keys().add(name, kind, host_key)
    client.connect(
        address,
        port=port,
        sock=_link(address, port, patience),
        username=access.ssh_user,
        pkey=key,
        allow_agent=False,
        look_for_keys=False,
        timeout=patience.handshake_seconds,
        banner_timeout=patience.banner_seconds,
        auth_timeout=patience.auth_seconds,
        channel_timeout=patience.auth_seconds,
    )
