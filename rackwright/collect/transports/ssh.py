"""Asks many hosts over SSH at once: one connection per host, and every failure an `Output` with one sentence.

In: hosts with their questions, the probe, keys and known hosts. Out: the answers of each host as soon as it is through.
Host keys are strict: a host that `known_hosts` does not name is not talked to. Nothing waits for ever: each phase of a
connection has a limit, and so has the whole of it, so that a hanging host costs one thread and not the run.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import paramiko

from rackwright.collect import wire
from rackwright.collect.output import Ask, Output, unanswered
from rackwright.collect.transports.refusals import sentence
from rackwright.errors import OutsideError
from rackwright.model.access import Access

logging.getLogger("paramiko").setLevel(logging.CRITICAL)  # it prints tracebacks of what we turn into sentences

BLOCK = 1 << 16
"""Bytes read at once."""


@dataclass(frozen=True)
class Patience:
    """How long a host may take, and how much it may say."""

    connect_seconds: float = 10.0
    banner_seconds: float = 10.0
    """Until sshd has said who it is; one that accepts and then is silent hangs."""
    handshake_seconds: float = 30.0
    """For the key exchange; generous, because many hosts at once share our own processors."""
    auth_seconds: float = 30.0
    spare_seconds: float = 30.0
    """On top of the limits of the commands themselves: start of the probe, transfer."""
    at_once: int = 64
    """Hosts that are talked to at the same time."""
    most_bytes: int = 64 << 20
    """Of all answers of one host; more than that is a host gone mad."""


@dataclass(frozen=True)
class Host:
    """One machine to ask."""

    node: str
    address: str
    asks: tuple[Ask, ...]
    port: int = 22


def ask(
    hosts: Sequence[Host], access: Access, zipapp: bytes, patience: Patience | None = None
) -> Iterator[tuple[Host, list[Output]]]:
    """Every host with an Output for each of its questions, in the order in which hosts are through.

    Raises OutsideError when our own key or known_hosts file cannot be read: that is not the hosts' failure.
    """
    session = _Session(access, _key(access.ssh_key), _known(access.known_hosts), zipapp, patience or Patience())
    with ThreadPoolExecutor(session.patience.at_once, thread_name_prefix="ssh") as pool:
        running = {pool.submit(session.ask, host): host for host in hosts}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # an interrupted run starts no further connections


def _key(path: Path) -> paramiko.PKey:
    try:
        return paramiko.PKey.from_path(path.expanduser())
    except paramiko.PasswordRequiredException:
        reason = "it has a passphrase: name a key without one"
    except OSError as error:
        reason = f"{error.strerror}: name another one"
    except (paramiko.SSHException, paramiko.pkey.UnknownKeyType, ValueError, TypeError):
        reason = "it is not a private key: name another one"
    raise OutsideError(f"SSH key {path} cannot be used, {reason} in control.ssh.identity_file or RACKWRIGHT_SSH_KEY")


def _known(path: Path) -> paramiko.HostKeys:
    try:
        return paramiko.HostKeys(str(path.expanduser()))
    except OSError as error:
        raise OutsideError(
            f"known_hosts file {path} cannot be read ({error.strerror}): "
            "name another one in control.ssh.known_hosts_file or RACKWRIGHT_KNOWN_HOSTS"
        ) from error


def connect(access: Access, address: str, port: int = 22, patience: Patience | None = None) -> paramiko.SSHClient:
    """An open connection to one host; OutsideError with one sentence when there is none to be had."""
    trust = (_key(access.ssh_key), _known(access.known_hosts))
    client = paramiko.SSHClient()
    limits = patience or Patience()
    try:
        _connect(client, access, trust, address, port, limits)
    except Exception as error:
        client.close()
        raise OutsideError(sentence(error, access, address, port, limits.connect_seconds)) from error
    return client


def _connect(
    client: paramiko.SSHClient,
    access: Access,
    trust: tuple[paramiko.PKey, paramiko.HostKeys],
    address: str,
    port: int,
    patience: Patience,
) -> None:
    key, known = trust
    name = address if port == paramiko.config.SSH_PORT else f"[{address}]:{port}"
    client.set_missing_host_key_policy(paramiko.RejectPolicy())
    for kind, host_key in (known.lookup(name) or {}).items():
        client.get_host_keys().add(name, kind, host_key)
    client.connect(
        address,
        port=port,
        sock=socket.create_connection((address, port), timeout=patience.connect_seconds),
        username=access.ssh_user,
        pkey=key,
        allow_agent=False,
        look_for_keys=False,
        timeout=patience.handshake_seconds,
        banner_timeout=patience.banner_seconds,
        auth_timeout=patience.auth_seconds,
        channel_timeout=patience.auth_seconds,
    )


@dataclass(frozen=True)
class _Session:
    """What all connections of one call share."""

    access: Access
    key: paramiko.PKey
    known: paramiko.HostKeys
    zipapp: bytes
    patience: Patience

    def ask(self, host: Host) -> list[Output]:
        """An Output for every question to `host`, whatever happens."""
        limit = max(one.seconds for one in host.asks) + self.patience.spare_seconds  # the probe asks all at once
        heard: dict[str, Output] = {}
        reason = ""
        client = paramiko.SSHClient()
        try:
            _connect(client, self.access, (self.key, self.known), host.address, host.port, self.patience)
            reason = self._converse(client, host, time.monotonic() + limit, heard)
        except Exception as error:  # noqa: BLE001 - what a broken sshd makes paramiko raise has no common base
            reason = sentence(error, self.access, host.address, host.port, limit)
        finally:
            client.close()
        missing = tuple(one for one in host.asks if one.id not in heard)
        return [*heard.values(), *unanswered(host.node, missing, reason)]

    def _converse(self, client: paramiko.SSHClient, host: Host, deadline: float, heard: dict[str, Output]) -> str:
        """Send everything, then read answers into `heard`; returns why some may be missing."""
        transport = client.get_transport()
        assert transport is not None, "connect left a transport"
        channel = transport.open_session(timeout=self.patience.auth_seconds)
        channel.settimeout(self.patience.auth_seconds)
        channel.exec_command(wire.COMMAND)
        _until(deadline, channel, lambda: channel.sendall(wire.stream(self.zipapp, host.asks)))
        channel.shutdown_write()
        for line in _lines(channel, deadline, self.patience.most_bytes):
            if not line.startswith(b"{"):
                continue  # a login shell that greets
            output = wire.answer(host.node, host.asks, line)
            if output is None:
                return "the probe left this question out"
            heard[wire.identity(output)] = output
        ready = channel.recv_stderr_ready()
        said = channel.recv_stderr(BLOCK).decode(errors="replace").strip().splitlines() if ready else []
        return f"the probe on {host.address} ended early" + (f": {said[-1]}" if said else "")


def _lines(channel: paramiko.Channel, deadline: float, most: int) -> Iterator[bytes]:
    """Complete lines as they arrive. ValueError when the host says more than `most` bytes."""
    buffer, read = bytearray(), 0
    while block := _until(deadline, channel, lambda: channel.recv(BLOCK)):
        read += len(block)
        if read > most:
            raise ValueError(f"it said more than {most >> 20} MiB")
        searched = len(buffer)
        buffer += block
        while (end := buffer.find(b"\n", searched)) >= 0:
            yield bytes(buffer[:end])
            del buffer[: end + 1]
            searched = 0


def _until(deadline: float, channel: paramiko.Channel, call: Callable[[], bytes | None]) -> bytes:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    channel.settimeout(left)
    return call() or b""
