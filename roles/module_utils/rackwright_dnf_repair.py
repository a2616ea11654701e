"""Remains of a dnf that was killed: locks of a dead program, packages beside their successors, scripts that never finished.

rpm enters a package into its database before the package's scripts have finished, and removes the old release after that: a query is no proof that a
package is complete. dnf's own history is: a killed transaction never got an end. The locks of rpm itself are those of the kernel and disappear with
their process.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from ansible.module_utils.rackwright_accounts import drop_dead_lock

HISTORY = "/var/lib/dnf/history.sqlite"
LOCK_FOLDERS = ("/var/cache/dnf", "/var/lib/dnf")
"""Folders of dnf's locks (dnf, lock.py), each a file with the number of its process: dnf waits without end for whoever has that number since."""
BROUGHT = (1, 2, 6, 9)
"""Actions of a transaction that put a package there: install, downgrade, upgrade, reinstall (libdnf, transaction/Types.hpp)."""
TAKEN = (3, 5, 7)
"""Actions that take one away because another replaces it: downgraded, obsoleted, upgraded."""
ITEMS = """\
SELECT rpm.name, rpm.epoch || ':' || rpm.version || '-' || rpm.release || '.' || rpm.arch, trans_item.action
FROM trans_item JOIN rpm USING (item_id) WHERE trans_id = (SELECT id FROM trans ORDER BY id DESC LIMIT 1)
AND (SELECT coalesce(dt_end, 0) FROM trans ORDER BY id DESC LIMIT 1) = 0 ORDER BY trans_item.id
"""
INSTALLED = "%{NAME}\\t%|EPOCH?{%{EPOCH}}:{0}|:%{VERSION}-%{RELEASE}.%{ARCH}\\n"


def drop_dead_locks(act):
    """Remove the locks of a dnf that was killed, if another process has its process id now."""
    for folder in LOCK_FOLDERS:
        for path in sorted(Path(folder).glob("*_lock.pid")):
            drop_dead_lock(act, path)


def halves(act):
    """Packages of a transaction that never finished, as NAME-EPOCH:VERSION-RELEASE.ARCH: (those to reinstall, old releases still beside them)."""
    items = _items()
    if not items:
        return [], []
    _, out, _ = act.run(["rpm", "--query", "--all", "--queryformat", INSTALLED, *sorted({name for name, *_ in items})])
    present = {tuple(line.split("\t")) for line in out.splitlines() if "\t" in line}
    brought = [f"{name}-{evra}" for name, evra, action in items if action in BROUGHT and (name, evra) in present]
    superseded = [f"{name}-{evra}" for name, evra, action in items if action in TAKEN and (name, evra) in present]
    # What was to be replaced and has no successor yet is whole: nothing was done to it.
    return brought, superseded if brought else []


def _items():
    """(name, version, action) of every package in the newest transaction, if that was killed; else empty."""
    if not Path(HISTORY).is_file():
        return []
    try:
        with closing(sqlite3.connect(f"file:{HISTORY}?mode=ro", uri=True)) as history:
            return history.execute(ITEMS).fetchall()
    except sqlite3.Error:
        return []  # a history that cannot be read says nothing of the packages, and dnf begins a new one
