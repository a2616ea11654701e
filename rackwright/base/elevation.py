"""How an account other than root gets root on a host: by ``sudo -n``, which never waits for a password; and the
messages of sudo's refusals.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

ROOT = "root"
SUDO = ("sudo", "-n")
REFUSED = re.compile(
    r"sudo: (?!unable to resolve host)|Sorry, user |.* is not in the sudoers file|.*\bsudo: (command )?not found"
)
"""Start of the last line if sudo(8) runs nothing, or a shell has no sudo."""


def as_root(user: str, words: Sequence[str]) -> list[str]:
    """The command by which `user` runs `words` with the rights of root."""
    return [*words] if user == ROOT else [*SUDO, *words]


def refusal(user: str, where: str, errors: str) -> str:
    """One sentence with the next step if `errors` end with a refusal of sudo; empty otherwise."""
    last = (errors.strip().splitlines() or [""])[-1].strip()
    if user == ROOT or not REFUSED.match(last):
        return ""
    return (
        f"{where}: sudo does not let {user} do everything as root without a password ({last.rstrip('.')}): put "
        f"`{user} ALL=(ALL) NOPASSWD: ALL` into /etc/sudoers.d/{user} there, or name another account as control.ssh.user"
    )
