"""Runs a program of the distribution and explains when it is missing, fails or hangs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from rackwright.base.errors import OutsideError

SECONDS = 60.0
DEBIAN_PACKAGES = {
    "dpkg-deb": "dpkg",
    "apt-ftparchive": "apt-utils",
    "gpg": "gnupg",
    "gpgconf": "gnupg",
    "rpmbuild": "rpm",
    "rpmsign": "rpm",
    "createrepo_c": "createrepo-c",
    "modifyrepo_c": "createrepo-c",
    "versionlock.py": "dnf-plugins-core",
    **dict.fromkeys(("firewalld.service", "firewalld", "firewall-cmd", "firewall-offline-cmd"), "firewalld"),
}


def run(command: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None) -> str:
    """Standard output of `command`. Raises `OutsideError` with the package to install or the program's error."""
    program = command[0]
    try:
        result = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "LC_ALL": "C", **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except FileNotFoundError:
        package = DEBIAN_PACKAGES.get(program, program)
        raise OutsideError(
            f"`{program}` is missing, which the twin's mirror needs; install the Debian package {package}"
        ) from None
    except subprocess.TimeoutExpired:
        raise OutsideError(f"`{program}` ran longer than {SECONDS:.0f} s; is this machine overloaded?") from None
    if result.returncode:
        raise OutsideError(f"`{' '.join(command[:3])}` failed with status {result.returncode}: {result.stderr.strip()}")
    return result.stdout
