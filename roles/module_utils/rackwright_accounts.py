"""Groups and users with the same numbers on every host.

A number that another
account has is reported, and no account loses anything.
"""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
from pathlib import Path

from ansible.module_utils.rackwright_act import ActError

LOCKS = ("passwd", "shadow", "group", "gshadow", "subuid", "subgid")
"""Files whose ``.lock`` the programs of shadow take; it holds the number of the process that has it (lib/commonio.c)."""


def drop_dead_locks(act, etc="/etc", proc="/proc"):
    """Remove the locks of account files whose owner was killed and whose number another process has since.

    shadow removes a lock itself when nobody has the number of its owner; else every useradd, and every package that calls it, fails
    until somebody removes the file or, on Debian, the host is booted again (tmpfiles.d/passwd.conf).
    """
    for path in (Path(etc, f"{name}.lock") for name in LOCKS):
        with contextlib.suppress(OSError, ValueError, IndexError):
            written_at, owner = path.stat().st_mtime, int(path.read_text(encoding="ascii").rstrip("\0\n"))
            if _started(proc, owner) > written_at + 1:
                act.changed(f"lock {path} of a program that was killed", f"{owner}\n", "")
                if not act.check:
                    path.unlink()


def _started(proc, number):
    """Seconds since 1970 when a process began: field 22 of /proc/PID/stat in ticks since the boot (proc_pid_stat(5))."""
    ticks = int(
        Path(proc, str(number), "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    )
    lines = Path(proc, "stat").read_text(encoding="ascii").splitlines()
    booted = next(int(line.split()[1]) for line in lines if line.startswith("btime "))
    return booted + ticks / os.sysconf("SC_CLK_TCK")


def bring_group(act, entry):
    """One group with its number."""
    name, gid = entry["name"], int(entry["gid"])
    try:
        current = grp.getgrnam(name).gr_gid
    except KeyError:
        current = None
    if current == gid:
        return
    owner = _owner(grp.getgrgid, gid)
    if owner:
        raise ActError(f"group {name} is to have the number {gid}, which the group {owner} has on this host")
    act.changed(f"group {name}", f"{current or 'absent'}\n", f"{gid}\n")
    if not act.check:
        act.must(["groupmod" if current is not None else "groupadd", "--gid", str(gid), name], f"group {name}")


def bring_user(act, entry):
    """One user with its number, primary group and further groups."""
    name, uid = entry["name"], int(entry["uid"])
    attributes = {"comment": entry.get("comment", ""), "shell": entry.get("shell") or "/bin/bash"}
    current = _user(name)
    if current is None:
        _make(act, name, uid, entry, attributes)
        return
    wrong = _differences(current, uid, entry, attributes)
    if wrong:
        act.changed(f"user {name}", "", f"{' '.join(wrong)}\n")
        if not act.check:
            act.must(["usermod", *wrong, name], f"user {name}")


def _make(act, name, uid, entry, attributes):
    owner = _owner(pwd.getpwuid, uid)
    if owner:
        raise ActError(f"user {name} is to have the number {uid}, which the user {owner} has on this host")
    act.changed(f"user {name}", "absent\n", f"{uid}\n")
    if not act.check:
        more = ["--groups", ",".join(entry["groups"])] if entry.get("groups") else []
        options = [
            "--uid",
            str(uid),
            "--gid",
            entry["group"],
            "--shell",
            attributes["shell"],
            "--comment",
            attributes["comment"],
        ]
        act.must(["useradd", *options, *more, "--create-home", name], f"user {name}")


def _user(name):
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _owner(find, number):
    """Name of the account that has a number, empty when it is free."""
    try:
        return find(number)[0]
    except KeyError:
        return ""


def _differences(current, uid, entry, attributes):
    """Words for usermod(8), none when all is as wanted."""
    words = ["--uid", str(uid)] if current.pw_uid != uid else []
    try:
        right_group = grp.getgrnam(entry["group"]).gr_gid == current.pw_gid
    except KeyError:
        right_group = False
    words += [] if right_group else ["--gid", entry["group"]]
    words += ["--comment", attributes["comment"]] if current.pw_gecos != attributes["comment"] else []
    words += ["--shell", attributes["shell"]] if current.pw_shell != attributes["shell"] else []
    missing = [name for name in entry.get("groups", []) if not _member(name, current.pw_name)]
    return words + (["--append", "--groups", ",".join(missing)] if missing else [])


def _member(group, user):
    try:
        return user in grp.getgrnam(group).gr_mem
    except KeyError:
        return False
