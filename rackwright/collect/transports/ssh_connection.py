"""Opens one connection of many: strict about the key of the host, with a time limit for each phase."""

from __future__ import annotations

import asyncio
import os
import socket
from dataclasses import dataclass
from pathlib import Path

import asyncssh

from rackwright.base.errors import OutsideError
from rackwright.collect.transports.connection_limits import SILENCES, Patience
from rackwright.collect.transports.ssh_errors import PORT, known_unreadable, no_key
from rackwright.model.access import Access

asyncssh.set_log_level("CRITICAL")  # it prints errors that we turn into sentences


class HostRefusedError(OutsideError):
    """The connection failed; the text is the reason."""


@dataclass(frozen=True)
class Trust:
    """Our key and the known hosts, read once for all connections."""

    access: Access
    options: asyncssh.SSHClientConnectionOptions
    known_hosts: asyncssh.SSHKnownHosts


def trust(access: Access, patience: Patience) -> Trust:
    """Our key and the known hosts; OutsideError if they cannot be used: that is not a failure of the hosts."""
    known_hosts = _load_known_hosts(access.known_hosts)
    options = asyncssh.SSHClientConnectionOptions(
        username=access.ssh_user,
        client_keys=[_key(access.ssh_key)],
        known_hosts=known_hosts,
        config=None,  # ~/.ssh/config belongs to the operator, and would make runs differ
        agent_path=None,
        preferred_auth="publickey",
        gss_host=None,
        x509_trusted_certs=None,
        compression_algs=["none"],
        keepalive_interval=patience.alive_seconds,
        keepalive_count_max=SILENCES,
        login_timeout=patience.banner_seconds + patience.handshake_seconds + patience.auth_seconds,
    )
    return Trust(access, options, known_hosts)


def _key(path: Path) -> asyncssh.SSHKey:
    try:
        return asyncssh.read_private_key(str(path.expanduser()))
    except asyncssh.KeyEncryptionError:
        reason = "it has a passphrase: name a key without one"
    except OSError as error:
        reason = f"{error.strerror}: name another one"
    except (asyncssh.KeyImportError, ValueError) as error:
        reason = "it is not a private key: name another one"
        if "assphrase" in str(error):
            reason = "it has a passphrase: name a key without one"
    raise no_key(path, reason)


def _load_known_hosts(path: Path) -> asyncssh.SSHKnownHosts:
    try:
        return asyncssh.read_known_hosts(str(path.expanduser()))
    except OSError as error:
        raise known_unreadable(path, error) from error
    except ValueError as error:
        raise OutsideError(f"known_hosts file {path} cannot be read ({error}): mend it or name another one") from error


class _Client(asyncssh.SSHClient):
    """Records how far a connection came, which tells the reason of a refusal."""

    def __init__(self) -> None:
        self.connection: asyncssh.SSHClientConnection | None = None

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        self.connection = conn

    @property
    def introduced(self) -> bool:
        """Whether the host has identified itself."""
        return self.connection is not None and bool(self.connection.get_extra_info("server_version"))


async def connect(trusted: Trust, address: str, port: int, patience: Patience) -> asyncssh.SSHClientConnection:
    """An open connection; HostRefusedError if it fails."""
    where = address if port == PORT else f"{address} port {port}"
    link = await _link(where, address, port, patience)
    client = _Client()
    opened = asyncio.ensure_future(
        asyncssh.connect(address, port, sock=link, client_factory=lambda: client, options=trusted.options)
    )
    try:
        await asyncio.wait([opened], timeout=patience.banner_seconds)
        if opened.done() or client.introduced:
            return await opened
        reason = f"{where} accepted the connection and then sent nothing: its sshd hangs, restart it"
    except Exception as error:
        raise HostRefusedError(
            _connection_problem(error, trusted, where, address, port, introduced=client.introduced)
        ) from error
    finally:
        if not opened.done():
            opened.cancel()
        if not opened.done() or opened.cancelled() or opened.exception():
            link.close()
    raise HostRefusedError(reason)


async def _link(where: str, address: str, port: int, patience: Patience) -> socket.socket:
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(patience.connect_seconds):
            addresses = await loop.getaddrinfo(address, port, type=socket.SOCK_STREAM)
            family, kind, protocol, _, target = addresses[0]
            link = socket.socket(family, kind, protocol)
            link.setblocking(False)
            try:
                await loop.sock_connect(link, target)
            except BaseException:
                link.close()
                raise
            return link
    except TimeoutError:
        raise HostRefusedError(
            f"{where} did not answer in time (limit {patience.connect_seconds:g} s): check its power, network and load"
        ) from None
    except socket.gaierror as error:
        raise HostRefusedError(
            f"{where} has no address ({error.strerror}): check its name, /etc/hosts and DNS"
        ) from error
    except OSError as error:
        raise HostRefusedError(
            f"{where} cannot be reached ({os.strerror(error.errno) if error.errno else error}): check that the host runs and its sshd listens"
        ) from error


def _connection_problem(
    error: Exception, trusted: Trust, where: str, address: str, port: int, *, introduced: bool
) -> str:
    """One sentence for an exception of asyncssh."""
    access = trusted.access
    if isinstance(error, asyncssh.HostKeyNotVerifiable):
        if any(trusted.known_hosts.match(address, "", None if port == PORT else port)):
            return f"{where} showed another host key than {access.known_hosts} has: find out whether the machine was replaced"
        return f"{where} has no host key in {access.known_hosts}: add it there after checking it"
    if isinstance(error, asyncssh.PermissionDenied):
        return f"{where} refused the key {access.ssh_key} of user {access.ssh_user}: put its public half on the host"
    if isinstance(error, TimeoutError) or "imeout" in str(error):
        return f"{where} began to talk and then stopped: its sshd or the network hangs, restart it"
    closed = isinstance(error, asyncssh.ConnectionLost | ConnectionError | EOFError)
    if closed and not introduced:
        return f"{where} closed the connection before it identified itself: check its sshd and what stands in between"
    if closed:
        return f"{where} closed the connection: look at the log of its sshd"
    return f"{where} failed ({str(error) or type(error).__name__}): look at the log of its sshd"
