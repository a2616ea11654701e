"""Starts the processes of a service: account, limits, folders, log; and finds them again."""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import resource
import shutil
import signal

from .command import DIRECTORIES, Command
from .unitfile import UnitFile, manager_settings

LOGS = "/run/rackwright-twin/log"
EXIT_EXEC = 203
EXIT_USER = 217
EXIT_DIRECTORY = 233
_LIMITS = {
    name: getattr(resource, f"RLIMIT_{name}")
    for name in ("NOFILE", "MEMLOCK", "STACK", "CORE", "NPROC", "CPU", "FSIZE", "DATA", "AS", "NICE", "RTPRIO")
    if hasattr(resource, f"RLIMIT_{name}")
}
_UNITS = {"K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}


class Account:
    """The account that a service runs as; KeyError if the machine does not have it."""

    def __init__(self, unit: UnitFile) -> None:
        user, group = unit.last("Service", "User"), unit.last("Service", "Group")
        self.uid, self.gid, self.name = 0, 0, ""
        if user:
            entry = pwd.getpwuid(int(user)) if user.isdigit() else pwd.getpwnam(user)
            self.uid, self.gid, self.name = entry.pw_uid, entry.pw_gid, entry.pw_name
        if group:
            self.gid = int(group) if group.isdigit() else grp.getgrnam(group).gr_gid
        extra = unit.words("Service", "SupplementaryGroups")
        self.groups = [grp.getgrnam(name).gr_gid for name in extra]


def make_folders(unit: UnitFile) -> None:
    """Make RuntimeDirectory=, StateDirectory= and the like, owned by the service's account."""
    account = Account(unit)
    for key, base in DIRECTORIES:
        mode = int(unit.last("Service", f"{key}Mode", "0755"), 8)
        for name in unit.words("Service", key):
            path = os.path.join(base, name.partition(":")[0])
            os.makedirs(path, exist_ok=True)
            os.chmod(path, mode)
            if key != "ConfigurationDirectory":
                os.chown(path, account.uid, account.gid)


def remove_folders(unit: UnitFile) -> None:
    """Remove RuntimeDirectory= after a stop, as RuntimeDirectoryPreserve=no (the default) asks."""
    if unit.last("Service", "RuntimeDirectoryPreserve", "no") == "no":
        for name in unit.words("Service", "RuntimeDirectory"):
            shutil.rmtree(os.path.join("/run", name.partition(":")[0]), ignore_errors=True)


def start(unit: UnitFile, command: Command, environment: dict[str, str]) -> int:
    """Fork and run `command`; what cannot be set up ends the process with systemd's own exit codes."""
    pid = os.fork()
    if pid == 0:
        code = EXIT_EXEC
        try:
            _become(unit, command, environment)
            code = EXIT_USER  # what returns has found no account to become
        except OSError as error:
            os.write(2, f"{command.program}: {error}\n".encode())
        finally:
            os._exit(code)
    return pid


def _become(unit: UnitFile, command: Command, environment: dict[str, str]) -> None:
    """Turn into the program; returns only when the account is missing."""
    os.setsid()
    for number in range(1, signal.NSIG):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    _streams(unit)
    _limits(unit)
    os.umask(int(unit.last("Service", "UMask", "0022"), 8))
    try:
        account = Account(unit)
        if not command.privileged and account.uid:
            _drop(account)
    except (KeyError, PermissionError):
        return
    os.chdir(_folder(unit, environment))
    os.execvpe(command.program, command.arguments, environment)  # noqa: S606 - an argument list


def _drop(account: Account) -> None:
    os.initgroups(account.name, account.gid)
    os.setgroups(sorted({*os.getgroups(), *account.groups}))
    os.setgid(account.gid)
    os.setuid(account.uid)


def _folder(unit: UnitFile, environment: dict[str, str]) -> str:
    folder = unit.last("Service", "WorkingDirectory", "/")
    optional, folder = folder.startswith("-"), folder.lstrip("-")
    folder = environment.get("HOME", "/root") if folder == "~" else folder
    return "/" if optional and not os.path.isdir(folder) else folder


def _streams(unit: UnitFile) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.makedirs(LOGS, exist_ok=True)
    output = unit.last("Service", "StandardOutput", "journal")
    path = output.partition(":")[2] if output.startswith(("file:", "append:")) else os.path.join(LOGS, unit.name)
    path = os.devnull if output == "null" else path
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for target, source in ((0, nothing), (1, log), (2, log)):
        os.dup2(source, target)
    os.closerange(3, 256)


def _limits(unit: UnitFile) -> None:
    """Apply LimitX= or the manager's DefaultLimitX=; like systemd as near as the kernel allows when it refuses to raise one."""
    defaults = manager_settings()
    for name, number in _LIMITS.items():
        value = unit.last("Service", f"Limit{name}") or defaults.last("Manager", f"DefaultLimit{name}")
        if not value:
            continue
        soft, _, hard = value.partition(":")
        limits = (_limit(soft), _limit(hard or soft))
        try:
            resource.setrlimit(number, limits)
        except (OSError, ValueError):
            most = resource.getrlimit(number)[1]
            resource.setrlimit(number, (_capped_limit(limits[0], most), most))


def _capped_limit(requested: int, most: int) -> int:
    if resource.RLIM_INFINITY in (requested, most):
        return most if requested == resource.RLIM_INFINITY else requested
    return min(requested, most)


def _limit(text: str) -> int:
    if text == "infinity":
        return resource.RLIM_INFINITY
    factor = _UNITS.get(text[-1], 1)
    return int(text[:-1] if factor > 1 else text) * factor


def members(invocation: str) -> list[int]:
    """The processes that carry `invocation` in their environment, wherever they were reparented to."""
    mark = f"INVOCATION_ID={invocation}".encode()
    pids = []
    for name in os.listdir("/proc"):
        if name.isdigit() and name != "1":
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
                if mark in file.read().split(b"\0"):
                    pids.append(int(name))
    return pids
