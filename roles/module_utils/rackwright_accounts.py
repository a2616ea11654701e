"""Groups and users with the same numbers on every host, created before the packages whose scripts would give them the next free ones.

A number that another account has is reported, and no account loses anything: the account of a daemon keeps its number while files have it.
"""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
from pathlib import Path

from ansible.module_utils.rackwright_act import ActError

FOLDERS = ("/etc", "/home", "/opt", "/srv", "/usr/local", "/var")
"""Where files of a daemon's account are looked for; those of /run are made again with every boot."""
LOCKS = ("passwd", "shadow", "group", "gshadow", "subuid", "subgid")
"""Files whose ``.lock`` the programs of shadow take; it holds the number of the process that has it (lib/commonio.c)."""


def drop_dead_locks(act, etc="/etc", proc="/proc"):
    """Remove locks of account files whose owner was killed, if another process has its process id now.

    shadow removes a lock itself if no process has the id of its owner; otherwise every useradd, and every package that calls it, fails until the file
    is removed or, on Debian, the host is rebooted (tmpfiles.d/passwd.conf).
    """
    for name in LOCKS:
        drop_dead_lock(act, Path(etc, f"{name}.lock"), proc)


def drop_dead_lock(act, path, proc="/proc"):
    """Remove the lock file `path`, which holds the process id of its owner, if the process with that id started after the lock was written."""
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


def bring(act, groups, users):
    """Groups, then users; ActError with all obstacles before anything is changed."""
    wrong = [text for entry in groups if (text := _group_obstacle(act, entry))]
    wrong += [text for entry in users if (text := _user_obstacle(act, entry))]
    if wrong:
        raise ActError("; ".join(wrong))
    for entry in groups:
        _bring_group(act, entry)
    for entry in users:
        _bring_user(act, entry)


def _group_obstacle(act, entry):
    name, gid, current = entry["name"], int(entry["gid"]), _entry(grp.getgrnam, entry["name"])
    if current and (current.gr_gid == gid or entry.get("only_if_missing")):
        return ""
    if owner := _owner(grp.getgrgid, gid):
        return f"group {name} is to have the number {gid}, which the group {owner} has on this host"
    return _owned(act, "group", "--gid", entry, current.gr_gid, gid) if current else ""


def _user_obstacle(act, entry):
    name, uid, current = entry["name"], int(entry["uid"]), _entry(pwd.getpwnam, entry["name"])
    if current and (current.pw_uid == uid or entry.get("only_if_missing")):
        return ""
    if owner := _owner(pwd.getpwuid, uid):
        return f"user {name} is to have the number {uid}, which the user {owner} has on this host"
    return _owned(act, "user", "--uid", entry, current.pw_uid, uid) if current else ""


def _owned(act, kind, option, entry, current, required):
    """Why the account of a daemon cannot get another number now (it would lose its files); empty if it can."""
    if not entry.get("system"):
        return ""
    folders = [folder for folder in FOLDERS if Path(folder).is_dir()]
    _, out, _ = act.run(["find", *folders, "-xdev", f"-{option[2:]}", str(current), "-print", "-quit"])
    if not out.strip():
        return ""
    name, test, owner = entry["name"], f"-{option[2:]} {current}", "chown" if kind == "user" else "chgrp"
    return (
        f"{kind} {name} has the number {current} on this host and {required} on the others, and files such as {out.strip()} are its own; nothing was "
        f"installed. Stop its daemons, then `{kind}mod {option} {required} {name} && find {' '.join(folders)} -xdev {test} -exec {owner} -h {name} {{}} +`; "
        f"or give all hosts the number {current}"
    )


def _bring_group(act, entry):
    """One group with its number."""
    name, gid, current = entry["name"], int(entry["gid"]), _entry(grp.getgrnam, entry["name"])
    if current and (current.gr_gid == gid or entry.get("only_if_missing")):
        return
    act.changed(f"group {name}", f"{current.gr_gid if current else 'absent'}\n", f"{gid}\n")
    if not act.check:
        more = ["--system"] if entry.get("system") and not current else []
        act.must(["groupmod" if current else "groupadd", *more, "--gid", str(gid), name], f"group {name}")


def _bring_user(act, entry):
    """One user with its number, primary group and further groups."""
    name, uid, current = entry["name"], int(entry["uid"]), _entry(pwd.getpwnam, entry["name"])
    if current is None:
        _make(act, name, uid, entry)
    elif not entry.get("only_if_missing") and (wrong := _differences(current, uid, entry)):
        act.changed(f"user {name}", "", f"{' '.join(wrong)}\n")
        if not act.check:
            act.must(["usermod", *wrong, name], f"user {name}")


def _make(act, name, uid, entry):
    act.changed(f"user {name}", "absent\n", f"{uid}\n")
    if not act.check:
        words = [
            "--uid",
            str(uid),
            "--gid",
            entry["group"],
            "--shell",
            _shell(entry),
            "--comment",
            entry.get("comment", ""),
        ]
        words += ["--groups", ",".join(entry["groups"])] if entry.get("groups") else []
        home = (
            ["--system", "--no-create-home", "--home-dir", "/nonexistent"] if entry.get("system") else ["--create-home"]
        )
        act.must(["useradd", *words, *home, name], f"user {name}")


def _shell(entry):
    return entry.get("shell") or ("/usr/sbin/nologin" if entry.get("system") else "/bin/bash")


def _entry(find, name):
    """The account of a name, None without one."""
    try:
        return find(name)
    except KeyError:
        return None


def _owner(find, number):
    """Name of the account that has a number, empty when it is free."""
    try:
        return find(number)[0]
    except KeyError:
        return ""


def _differences(current, uid, entry):
    """Options for usermod(8), empty if all is as required. Of a daemon's account only the numbers are ours; the rest is its package's."""
    words = ["--uid", str(uid)] if current.pw_uid != uid else []
    group = _entry(grp.getgrnam, entry["group"])
    words += [] if group and group.gr_gid == current.pw_gid else ["--gid", entry["group"]]
    if not entry.get("system"):
        comment, shell = entry.get("comment", ""), _shell(entry)
        words += ["--comment", comment] if current.pw_gecos != comment else []
        words += ["--shell", shell] if current.pw_shell != shell else []
    missing = [name for name in entry.get("groups", []) if not _member(name, current.pw_name)]
    return words + (["--append", "--groups", ",".join(missing)] if missing else [])


def _member(group, user):
    of_group = _entry(grp.getgrnam, group)
    return bool(of_group) and user in of_group.gr_mem
