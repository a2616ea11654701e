"""How an account that is not root does what needs root on a host: by ``sudo -n``, which never waits for a password, and what sudo says instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

ROOT = "root"
SUDO = ("sudo", "-n")
REFUSED = re.compile(
    r"sudo: (?!unable to resolve host)|Sorry, user |.* is not in the sudoers file|.*\bsudo: (command )?not found"
)
"""What the last line begins with when sudo(8) runs nothing, or a shell has no sudo."""


def as_root(user: str, words: Sequence[str]) -> list[str]:
    """`words` as `user` runs them with the rights of root."""
    return [*words] if user == ROOT else [*SUDO, *words]


def refusal(user: str, where: str, errors: str) -> str:
    """One sentence with the next step when `errors` end with a refusal of sudo; empty otherwise."""
    last = (errors.strip().splitlines() or [""])[-1].strip()
    if user == ROOT or not REFUSED.match(last):
        return ""
    return (
        f"{where}: sudo does not let {user} do everything as root without a password ({last.rstrip('.')}): put "
        f"`{user} ALL=(ALL) NOPASSWD: ALL` into /etc/sudoers.d/{user} there, or name another account as control.ssh.user"
    )
