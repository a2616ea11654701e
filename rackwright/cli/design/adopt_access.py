"""How the hosts of ``rackwright adopt`` are reached: options, the environment, or an ssh_config file."""

from __future__ import annotations

import argparse
import os
import socket
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rackwright.base import concurrency
from rackwright.base.errors import UsageError
from rackwright.model.access import Access, Secret
from rackwright.model.control import Ssh

if TYPE_CHECKING:
    from rackwright.collect.survey import SurveyTarget

INDIRECT = ("proxyjump", "proxycommand")
"""Settings of ssh_config that our connections do not follow."""
DEFAULT = Ssh()


def add_access(parser: argparse.ArgumentParser) -> None:
    """Options of the SSH connection."""
    group = parser.add_argument_group("SSH")
    group.add_argument("--ssh-user", metavar="USER", help=f"account on the hosts (default {DEFAULT.user})")
    group.add_argument(
        "--ssh-key", metavar="FILE", help=f"private key (default RACKWRIGHT_SSH_KEY, else {DEFAULT.identity_file})"
    )
    meaning = f"host keys (default RACKWRIGHT_KNOWN_HOSTS, else {DEFAULT.known_hosts_file}); hosts without one are not talked to"
    group.add_argument("--known-hosts", metavar="FILE", help=meaning)
    group.add_argument(
        "--ssh-config", metavar="FILE", help="ssh_config with User, HostName, Port, IdentityFile, UserKnownHostsFile"
    )


def targets(args: argparse.Namespace, hosts: Sequence[str]) -> list[SurveyTarget]:
    """Where and how each host is queried. Raises UsageError for files that are missing and settings that cannot be followed."""
    from rackwright.collect.survey import SurveyTarget
    from rackwright.collect.transports.ssh_errors import PORT

    settings = _settings(args, hosts)
    by_account: dict[tuple[str, str, str], Access] = {}
    chosen = []
    for host in hosts:
        setting = settings[host]
        account = (
            args.ssh_user or setting.get("user") or DEFAULT.user,
            args.ssh_key or _first(setting.get("identityfile")) or os.environ.get("RACKWRIGHT_SSH_KEY") or DEFAULT.identity_file,
            args.known_hosts or _first(setting.get("userknownhostsfile")) or os.environ.get("RACKWRIGHT_KNOWN_HOSTS") or DEFAULT.known_hosts_file,
        )  # fmt: skip
        access = by_account.setdefault(account, _access(*account))
        chosen.append(SurveyTarget(host, setting.get("hostname", host), access, int(setting.get("port", PORT))))
    for access in by_account.values():
        _check(access)
    return chosen


def ssh_fields(args: argparse.Namespace, chosen: Sequence[SurveyTarget]) -> dict[str, str]:
    """Fields of ``control.ssh`` for the site file: what the user gave, where it is not the default."""
    access = chosen[0].access
    fields: dict[str, tuple[object, str, str]] = {
        "user": (True, access.ssh_user, DEFAULT.user),
        "identity_file": (args.ssh_key or args.ssh_config, str(access.ssh_key), DEFAULT.identity_file),
        "known_hosts_file": (args.known_hosts or args.ssh_config, str(access.known_hosts), DEFAULT.known_hosts_file),
    }
    return {name: value for name, (chosen_by_user, value, usual) in fields.items() if chosen_by_user and value != str(Path(usual).expanduser()) and value != usual}  # fmt: skip


def addresses(chosen: Sequence[SurveyTarget]) -> dict[str, str]:
    """The IPv4 address of every target whose name can be resolved."""
    with ThreadPoolExecutor(concurrency.at_once("name_lookups")) as pool:
        resolved = pool.map(_resolve, [target.address for target in chosen])
    return {target.name: address for target, address in zip(chosen, resolved, strict=True) if address}


def _resolve(name: str) -> str:
    try:
        return socket.gethostbyname(name)
    except OSError:
        return ""


def _settings(args: argparse.Namespace, hosts: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
    """Host -> its settings in the ssh_config file; empty settings without ``--ssh-config``."""
    if not args.ssh_config:
        return {host: {} for host in hosts}
    import paramiko

    path = Path(args.ssh_config).expanduser()
    try:
        config = paramiko.SSHConfig.from_path(str(path))
    except OSError as error:
        raise UsageError(f"--ssh-config {path}: {error.strerror}; name a readable ssh_config file") from error
    except (paramiko.SSHException, UnicodeDecodeError) as error:
        raise UsageError(f"--ssh-config {path}: not an ssh_config file ({error})") from error
    settings = {host: config.lookup(host) for host in hosts}
    for host, setting in settings.items():
        for word in INDIRECT:
            if setting.get(word, "none") != "none":
                raise UsageError(
                    f"--ssh-config {path}: {host} has {word} {setting[word]}, and adopt connects directly: run it on the jump host"
                )
    return settings


def _first(value: str | Sequence[str] | None) -> str:
    """The first of several files; empty without any."""
    words = value.split() if isinstance(value, str) else list(value or ())
    return words[0] if words else ""


def _access(user: str, key: str, known_hosts: str) -> Access:
    return Access(
        ssh_user=user,
        ssh_key=Path(key).expanduser(),
        known_hosts=Path(known_hosts).expanduser(),
        bmc_user="",
        bmc_password=Secret(""),
        bmc_ca=None,
        limited=True,
    )


def _check(access: Access) -> None:
    for option, path, step in (
        ("--ssh-key", access.ssh_key, "name the private key that the hosts accept"),
        ("--known-hosts", access.known_hosts, "name a file with the keys of the hosts, as ssh-keyscan prints them"),
    ):
        if not path.is_file():
            raise UsageError(f"{option} {path}: there is no such file; {step}")
