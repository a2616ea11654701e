"""Texts of files on a host of the twin: its SSH server, the programs behind faults. Constants, and how a plan has them."""

from __future__ import annotations

from typing import Any

from rackwright.twin.guest.boot import INSIDE

GUEST_INSIDE = f"/{INSIDE}"
SSHD_CONFIGURATION = """\
# The exchange that OpenSSH prefers costs 0.06 s of processor time per connection, and all hosts share this machine's processors.
KexAlgorithms -sntrup761*
Port 22
HostKey /etc/ssh/ssh_host_ed25519_key
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM yes
UseDNS no
PrintMotd no
PrintLastLog no
MaxStartups 200
MaxSessions 200
AcceptEnv LANG LC_*
Subsystem sftp internal-sftp
"""
SSHD_PAM = """\
# Limits of a session come from pam_limits; what needs a login manager or a message of the day is left out.
auth required pam_deny.so
account required pam_permit.so
session required pam_limits.so
session required pam_env.so
password required pam_deny.so
"""
HANGING_SSHD = f"""\
[Unit]
Description=SSH server that accepts connections and says nothing

[Service]
ExecStart=/usr/bin/python3 -IS -c "import sys; sys.path.insert(0, '{GUEST_INSIDE}'); \
from guest import hang; hang.main()"

[Install]
WantedBy=multi-user.target
"""
NO_NOUVEAU = "# written by the installer: nodes of this site run the vendor's driver\nblacklist nouveau\noptions nouveau modeset=0\n"


def folder(path: str, owner: tuple[int, int], mode: int = 0o700) -> dict[str, Any]:
    """One folder of a plan."""
    return {"path": path, "owner": owner, "mode": mode}


def file(path: str, text: str, mode: int = 0o644) -> dict[str, Any]:
    """One file of a plan."""
    return {"path": path, "text": text, "mode": mode}
