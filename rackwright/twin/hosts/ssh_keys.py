"""SSH keys of a twin: a login key, one key per host, and the matching `known_hosts` and client configuration."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rackwright.base.errors import OutsideError
from rackwright.twin.guest import kernel

AT_ONCE = 4


@dataclass(frozen=True)
class KeyPair:
    """A key pair, by its private file."""

    private: Path

    @property
    def public_text(self) -> str:
        """The public key on one line."""
        return self.private.with_suffix(".pub").read_text(encoding="ascii")

    @property
    def private_text(self) -> str:
        """The private key as OpenSSH writes it."""
        return self.private.read_text(encoding="ascii")


@dataclass(frozen=True)
class Keys:
    """All keys of one twin."""

    login: KeyPair
    hosts: Mapping[str, KeyPair]
    known_hosts: Path
    client_configuration: Path


def make(folder: Path, addresses: Mapping[str, str], user: str = "root") -> Keys:
    """Keys for the hosts in `addresses` (name -> address), where `user` logs in; missing ones are generated."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    login = _pair(folder / "id_ed25519")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        pairs = pool.map(_pair, [folder / f"host_{name}" for name in addresses])
        hosts = dict(zip(addresses, pairs, strict=True))
    known_hosts = folder / "known_hosts"
    lines = [f"{name},{ip} {' '.join(hosts[name].public_text.split()[:2])}\n" for name, ip in addresses.items()]
    known_hosts.write_text("".join(lines), encoding="ascii")
    configuration = folder / "ssh_config"
    configuration.write_text(
        f"Host *\n    User {user}\n    IdentityFile {login.private.resolve()}\n    IdentitiesOnly yes\n"
        f"    UserKnownHostsFile {known_hosts.resolve()}\n    GlobalKnownHostsFile /dev/null\n    StrictHostKeyChecking yes\n",
        encoding="utf-8",
    )
    return Keys(login, hosts, known_hosts, configuration)


def _pair(path: Path) -> KeyPair:
    if not path.exists() or not path.with_suffix(".pub").exists():
        path.unlink(missing_ok=True)
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", f"rackwright twin {path.name}", "-f", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            raise OutsideError(f"ssh-keygen cannot make {path}: {done.stderr.strip()}; is the folder writable?")
    return KeyPair(path)


def bind_client_files(folder: Path, hosts: str, keys: Keys) -> None:
    """Make ``ssh NODE`` work inside the twin: names (`hosts`) and keys for the SSH client, in this mount namespace only."""
    listed = folder / "hosts"
    listed.write_text(hosts, encoding="ascii")
    for source, target in ((listed, "/etc/hosts"), (keys.client_configuration, "/etc/ssh/ssh_config")):
        if Path(target).exists():
            kernel.mount(str(source.resolve()), target, "", kernel.BIND)
