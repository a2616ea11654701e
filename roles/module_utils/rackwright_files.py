"""Files of a role: compared, then replaced in one step.

Actions that must follow a change (a command, a restart) are recorded before the file changes.
"""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import shutil
import stat
import tempfile
from pathlib import Path

from ansible.module_utils.rackwright_act import ActError

LABEL = "security.selinux"
BEGIN, END = "# BEGIN rackwright", "# END rackwright"


def bring(act, entry, watchers):
    """One file, link or absence."""
    path = entry["path"]
    if entry.get("absent") and entry.get("block"):
        _remove_block(act, path, watchers)
    elif entry.get("absent"):
        _remove(act, path, watchers)
    elif entry.get("link"):
        _link(act, path, entry["link"], watchers)
    elif not (entry.get("only_if_missing") and os.path.lexists(path)):
        _write(act, entry, watchers)


def put(path, text, rights=(0o644, 0, 0)):
    """Replace a file in one step, so that no reader sees half of it; `rights` are (mode, user id, group id)."""
    Path(path).parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=Path(path).parent, prefix=".rackwright-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
            os.fchown(handle, rights[1], rights[2])
            os.fchmod(handle, rights[0])
            _keep_label(path, handle)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _keep_label(path, handle):
    """Copy the SELinux label of the replaced file (xattr(7)); a new file gets that of its folder from the kernel (restorecon(8))."""
    with contextlib.suppress(OSError):  # no such file, or a kernel without SELinux
        os.setxattr(handle, LABEL, os.getxattr(path, LABEL))


def raw(path):
    """Bytes and (mode, user id, group id) of a file; (None, None) when there is none."""
    try:
        with Path(path).open("rb") as file:
            status = os.fstat(file.fileno())
            return file.read(), (stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid)
    except FileNotFoundError:
        return None, None
    except IsADirectoryError:
        raise ActError(f"{path} is a folder, where a file was to be written; move it away") from None


def current(path):
    """The text of a file, empty when there is none."""
    return (raw(path)[0] or b"").decode(errors="replace")


def _write(act, entry, watchers):
    path, (before, had) = entry["path"], raw(entry["path"])
    text = _with_block((before or b"").decode(errors="replace"), entry) if entry.get("block") else entry["text"]
    content = text if isinstance(text, bytes) else text.encode()
    rights = had if entry.get("block") and had else _rights(act, entry)
    if (before, had) == (content, rights):
        return
    act.ask(path, watchers)
    printed = ("", "") if entry.get("secret") else ((before or b"").decode(errors="replace"), text)
    act.changed(path, *printed)
    if not act.check:
        _make_way(path)
        put(path, content, rights)


def _make_way(path):
    """Remove a link at `path`, so that it is replaced and not followed: it may lead into a package."""
    if Path(path).is_symlink():
        Path(path).unlink()


def _with_block(before, entry):
    """`before` with our block in its place, or at the end; the rest is unchanged."""
    block = f"{BEGIN}\n{entry['text'].rstrip()}\n{END}\n"
    start, end = before.find(BEGIN + "\n"), before.find(END + "\n")
    if 0 <= start < end:
        return before[:start] + block + before[end + len(END) + 1 :]
    return before + ("\n" if before and not before.endswith("\n") else "") + block


def _remove_block(act, path, watchers):
    """Remove our block from the file; the rest, and a file without a block, stay unchanged."""
    before, had = raw(path)
    text = (before or b"").decode(errors="replace")
    start, end = text.find(BEGIN + "\n"), text.find(END + "\n")
    if not 0 <= start < end:
        return
    after = text[:start] + text[end + len(END) + 1 :]
    act.ask(path, watchers)
    act.changed(path, text, after)
    if not act.check:
        put(path, after, had)


def _rights(act, entry):
    """(mode, user id, group id) as declared; in a check -1 for an account that does not exist yet. ActError for a missing account otherwise."""
    ids = []
    for name, find, field in ((entry.get("owner"), pwd.getpwnam, 2), (entry.get("group"), grp.getgrnam, 2)):
        try:
            ids.append(find(name or "root")[field])
        except KeyError:
            if not act.check:
                raise ActError(f"{entry['path']}: there is no account {name} on this host") from None
            ids.append(-1)
    return int(str(entry.get("mode") or "0644"), 8), *ids


def _remove(act, path, watchers):
    if not os.path.lexists(path):
        return
    act.ask(path, watchers)
    act.changed(f"{path} removed")
    if act.check:
        return
    if Path(path).is_dir() and not Path(path).is_symlink():
        shutil.rmtree(path)
    else:
        Path(path).unlink()


def _link(act, path, target, watchers):
    if Path(path).is_symlink() and str(Path(path).readlink()) == target:
        return
    act.ask(path, watchers)
    act.changed(f"{path} -> {target}")
    if act.check:
        return
    Path(path).parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    beside = Path(path).with_name(f".rackwright-{Path(path).name}")
    beside.unlink(missing_ok=True)
    beside.symlink_to(target)
    beside.replace(path)
