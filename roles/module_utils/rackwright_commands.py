"""Commands with a test: a program that runs only when its test requires it.

Each is an entry of ``commands``. ``after_change_of`` runs once after one of these files changed, in this run or in an earlier one that was
interrupted; ``unless`` and ``creates`` test the host. An entry without a test would run every time, so it is refused. ``changes`` names the files
that it changes, so that their watchers follow.
"""

from __future__ import annotations

import os

from ansible.module_utils.rackwright_act import ActError, last_words

SECONDS = 600
"""How long a command may take unless it says otherwise; a kernel module builds in less than half of that."""


def key(role, entry):
    """Name under which a command is recorded as due until it has run."""
    return f"{role}.{''.join(sign if sign.isalnum() else '-' for sign in entry['name'].lower())}"


def bring(act, entry, watchers=None):
    """Run the command if its test requires it."""
    if not any(test in entry for test in ("after_change_of", "unless", "creates")):
        raise ActError(f"`{entry['name']}` has no test; give it after_change_of, unless or creates")
    name = key(act.role, entry)
    if not _is_due(act, entry, name):
        return
    for path in entry.get("changes", []):
        act.ask(path, watchers or {})
    act.changed(entry["name"])
    if not act.check:
        _run(act, entry)
    act.done(name)


def _is_due(act, entry, name):
    if "after_change_of" in entry and act.due(name):
        return True
    if "creates" in entry and not os.path.lexists(entry["creates"]):
        return True
    return "unless" in entry and act.run(entry["unless"])[0] != 0


def _run(act, entry):
    seconds = str(entry.get("seconds", SECONDS))
    environment = {"LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **entry.get("environment", {})}
    code, out, err = act.run(["timeout", "--kill-after=10", seconds, *entry["run"]], environ_update=environment)
    if code in entry.get("ok_codes", [0]):
        return
    words = f"ran longer than {seconds} s" if code in (124, 137) else f"ended with {code}: {last_words(err or out)}"
    hint = f" {entry['otherwise']}" if entry.get("otherwise") else ""
    raise ActError(f"{entry['name']}: `{' '.join(entry['run'])}` {words}.{hint}")
