"""Runs one program of the distribution; a clear error says when it is missing or hangs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence

from rackwright.base.errors import OutsideError

SECONDS = 120.0
"""Longest that gpg takes on a loaded machine to make a key or check the largest index."""
PACKAGES = {"gpgv": "gpgv", "gpg": "gnupg", "gpgconf": "gnupg"}
"""What to install for a program, by its name in Debian; RHEL has both in gnupg2."""


def run_program(
    command: Sequence[str], data: bytes | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The result of `command`, whatever its exit status. OutsideError if the program is missing or does not end."""
    try:
        return subprocess.run(
            command,
            env={**os.environ, "LC_ALL": "C", **(environment or {})},
            input=data or b"",
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except FileNotFoundError:
        package = PACKAGES.get(command[0], command[0])
        raise OutsideError(f"`{command[0]}` is missing, which a mirror needs; install the package {package}") from None
    except subprocess.TimeoutExpired:
        raise OutsideError(f"`{command[0]}` ran longer than {SECONDS:.0f} s; is this machine overloaded?") from None
