"""Whether this machine lets root raise the limits of a process, which ``LimitMEMLOCK=infinity`` and pam_limits need."""

from __future__ import annotations

CAP_SYS_RESOURCE = 24


def may_raise(status: str) -> bool:
    """True when the text of /proc/PID/status shows the capability to raise limits."""
    line = next(line for line in status.splitlines() if line.startswith("CapEff:"))
    return bool(int(line.split()[1], 16) >> CAP_SYS_RESOURCE & 1)
