"""systemd units: masked, enabled, started or restarted, in order.

systemd is queried once for all of them.
"""

from __future__ import annotations

from ansible.module_utils.rackwright_act import ActError, last_words

PROPERTIES = "Id,LoadState,ActiveState,UnitFileState,Type,Result,InvocationID"
RUNNING = ("active", "activating", "reloading")
STANDING = ("static", "alias", "generated", "indirect", "enabled-runtime")
"""States of a unit file that cannot be enabled, or need not be."""


def key(role, entry):
    """Name under which a restart is recorded as due until it is done."""
    return f"{role}.unit.{entry['name'].replace('/', '-')}"


def states(act, names):
    """Unit name -> properties, queried in one call."""
    if not names:
        return {}
    full = [name if "." in name else f"{name}.service" for name in names]
    out = act.must(["systemctl", "show", f"--property={PROPERTIES}", *full], "systemd does not answer")
    blocks = [
        dict(line.split("=", 1) for line in block.splitlines() if "=" in line) for block in out.strip().split("\n\n")
    ]
    if len(blocks) != len(names):
        raise ActError(f"systemd described {len(blocks)} of {len(names)} units: {' '.join(names)}")
    return dict(zip(names, blocks))  # noqa: B905 - Python 3.9 of RHEL 9 knows no `strict`; the lengths were compared


def bring(act, entry, state):
    """Bring one unit with the properties `state` to its declared state."""
    name = entry["name"]
    if entry.get("masked"):
        _mask(act, name, state)
        return
    if state.get("LoadState") in ("not-found", "masked") and not (
        state["LoadState"] == "masked" and _unmask(act, name)
    ):
        if act.check or entry.get("missing_ok"):
            _missing(act, entry)
            return
        raise ActError(f"there is no unit {name} on this host; is its package installed? (systemctl status {name})")
    _enable(act, entry, state.get("UnitFileState", ""))
    _activate(act, entry, state)


def _missing(act, entry):
    """Record the change for a unit that does not exist yet: in a check its package may still have to be installed."""
    if not entry.get("missing_ok"):
        act.changed(f"{entry['name']} started" if entry.get("state") != "stopped" else f"{entry['name']} enabled")


def _mask(act, name, state):
    if state.get("LoadState") != "masked":
        act.changed(f"{name} masked")
        if not act.check:
            act.must(["systemctl", "mask", "--now", name], f"{name} cannot be masked")


def _unmask(act, name):
    act.changed(f"{name} unmasked")
    if not act.check:
        act.must(["systemctl", "unmask", name], f"{name} cannot be unmasked")
    return True


def _enable(act, entry, state):
    enabled = entry.get("enabled")
    if enabled is None or state in STANDING or (state == "enabled") == bool(enabled):
        return
    word = "enable" if enabled else "disable"
    act.changed(f"{entry['name']} {word}d")
    if not act.check:
        act.must(["systemctl", word, entry["name"]], f"{entry['name']} cannot be {word}d")


def _activate(act, entry, state):
    name, target, running = entry["name"], entry.get("state", "started"), state.get("ActiveState") in RUNNING
    restart = key(act.role, entry)
    if target == "stopped" and running:
        _control(act, name, "stop", "stopped")
    elif target == "started" and act.due(restart) and running:
        _control(act, name, "restart", "restarted")
    elif target == "started" and not running and not (_ran(state) and not act.due(restart)):
        _control(act, name, "start", "started")
    if target != "none":  # a unit with state none keeps its pending restart
        act.done(restart)


def _ran(state):
    """Whether a oneshot unit has succeeded in this boot: it is no longer "active" and has nothing more to do."""
    return state.get("Type") == "oneshot" and state.get("Result") == "success" and bool(state.get("InvocationID"))


def _control(act, name, verb, done):
    act.changed(f"{name} {done}")
    if act.check:
        return
    code, out, err = act.run(["systemctl", verb, name])
    if code != 0:
        _, status, _ = act.run(["systemctl", "status", "--no-pager", "--lines=3", name])
        raise ActError(f"{name} could not be {done}: {last_words(err or out)} ({last_words(status)})")
