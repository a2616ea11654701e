"""Installs the versions of `TwinMachine.package_versions` on hosts without the roles, as an update that went wrong."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence

from rackwright.base.errors import OutsideError
from rackwright.twin.hardware.state import NEWEST, OLDER, State
from rackwright.twin.hosts.runner import Hosts

Offered = Mapping[str, Mapping[str, Sequence[str]]]
RESTART = 'systemctl try-restart $(dpkg -L "$1" | sed -n "s,.*/systemd/system/\\([^/]*\\.service\\)$,\\1,p")'
"""Restarts the services of a package, as a reboot would; a package that does not fit the host fails only then."""


def install_versions(state: State, hosts: Hosts, offered: Offered) -> list[str]:
    """Install the package versions of the state; returns one sentence for each change. `offered`: by node, package -> versions."""
    changes = []
    for node, machine in state.machines.items():
        for package, target in machine.package_versions.items():
            installed = hosts.execute(node, ["dpkg-query", "-W", "-f", "${Version}", package]).stdout.strip()
            version = _version(node, package, target, installed, hosts, offered[node])
            install = ["apt-get", "install", "--yes", "--allow-downgrades", "--allow-change-held-packages"]
            held = hosts.execute(node, ["apt-mark", "showhold", package]).stdout.strip()
            hosts.execute(node, ["env", "DEBIAN_FRONTEND=noninteractive", *install, f"{package}={version}"])
            if held:  # installing over a hold lifts it, and a missing hold is another fault
                hosts.execute(node, ["apt-mark", "hold", package])
            hosts.execute(node, ["sh", "-c", RESTART, "sh", package], check=False)  # a service may well refuse now
            changes.append(f"{node}: {package} went from {installed} to {version}")
    return changes


def _version(
    node: str, package: str, target: str, installed: str, hosts: Hosts, offered: Mapping[str, Sequence[str]]
) -> str:
    if target == NEWEST:
        return _newest(offered[package])
    return _older_version(node, package, installed, hosts, offered) if target == OLDER else target


def _older_version(node: str, package: str, installed: str, hosts: Hosts, offered: Mapping[str, Sequence[str]]) -> str:
    """The older version, decided once per host: a resumed run must not go down another step."""
    note = f"/var/lib/rackwright-twin/{package}.drift"
    decided = hosts.execute(node, ["cat", note], check=False).stdout.strip()
    if decided:
        return decided
    version = _older(package, installed, offered)
    hosts.execute(node, ["sh", "-c", 'mkdir -p "${1%/*}" && echo "$2" > "$1"', "sh", note, version])
    return version


def _older(package: str, installed: str, offered: Mapping[str, Sequence[str]]) -> str:
    older = [version for version in offered.get(package, ()) if _before(version, installed)]
    if not older:
        raise OutsideError(
            f"the mirror of the twin has no {package} older than {installed}: "
            "this fault needs one in rackwright/twin/mirror/versions.yaml"
        )
    return _newest(older)


def _newest(versions: Sequence[str]) -> str:
    return next(version for version in versions if not any(_before(version, rival) for rival in versions))


def _before(version: str, later: str) -> bool:
    return subprocess.run(["dpkg", "--compare-versions", version, "lt", later], check=False).returncode == 0
