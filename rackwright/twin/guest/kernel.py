"""The Linux system calls that the standard library of Python 3.11 lacks, each raising OSError when the kernel refuses."""

from __future__ import annotations

import ctypes
import os

NEW_NET = 0x40000000
NEW_MOUNT = 0x00020000
NEW_UTS = 0x04000000
NEW_IPC = 0x08000000
NEW_PID = 0x20000000

BIND = 4096
RECURSIVE = 16384
PRIVATE = 1 << 18
READ_ONLY = 1
REMOUNT = 32
NO_SUID = 2
NO_DEV = 4
NO_EXEC = 8
DETACH = 2

_PDEATHSIG = 1
_SET_NAME = 15
_CAPBSET_DROP = 24

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    """Give this process namespaces of its own (`NEW_...` flags)."""
    _check(_libc.unshare(flags), "unshare")


def setns(descriptor: int) -> None:
    """Enter the namespace that `descriptor` (an open /proc/PID/ns file) stands for."""
    _check(_libc.setns(descriptor, 0), "setns")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """mount(2); `kind` is the file system type."""
    arguments = [value.encode() if value else None for value in (source, target, kind)]
    result = _libc.mount(*arguments, ctypes.c_ulong(flags), data.encode() if data else None)
    _check(result, f"mount {kind or source} on {target}")


def unmount(target: str) -> None:
    """Take away what is mounted on `target`, as soon as nobody uses it."""
    _check(_libc.umount2(target.encode(), DETACH), f"umount {target}")


def pivot_root() -> None:
    """Make the current folder the root and let go of the old one."""
    _check(_libc.pivot_root(b".", b"."), "pivot_root")
    _check(_libc.umount2(b".", DETACH), "umount of the old root")
    os.chdir("/")


def die_with_parent() -> None:
    """Have the kernel send SIGKILL when the parent thread ends."""
    _check(_libc.prctl(_PDEATHSIG, 9, 0, 0, 0), "prctl")


def set_name(name: str) -> None:
    """Set the short name of this process (/proc/PID/comm)."""
    _check(_libc.prctl(_SET_NAME, ctypes.c_char_p(name.encode()), 0, 0, 0), "prctl")


def drop_capability(number: int) -> None:
    """Take a capability away from this process and from everything that it starts, for good."""
    _check(_libc.prctl(_CAPBSET_DROP, ctypes.c_ulong(number), 0, 0, 0), "prctl")
