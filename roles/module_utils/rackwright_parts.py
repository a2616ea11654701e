"""The parts of an onboarding on one host, each for all roles in order: install, configure, run, join, verify; and a look at all of them."""

from __future__ import annotations

import base64
import fnmatch

from ansible.module_utils import (
    rackwright_accounts,
    rackwright_audit,
    rackwright_commands,
    rackwright_fetch,
    rackwright_files,
    rackwright_keys,
    rackwright_units,
    rackwright_verify,
)
from ansible.module_utils.rackwright_act import ActError
from ansible.module_utils.rackwright_apt import Packages as Apt
from ansible.module_utils.rackwright_dnf import Packages as Dnf
from ansible.module_utils.rackwright_versions import compare, describe, together

OURS = "rackwright"
"""Names of the sources that the role base declares begin with this: a source of an earlier site file goes."""


def install(act, params):
    """Accounts, sources, files that packages read (``early``), removal of unwanted packages, one transaction for all packages, vendor files."""
    manager = _manager(act, params)
    _accounts(act, params)
    present = manager.have({name for role in params["roles"] for name in role.get("remove", [])})
    for role in params["roles"]:
        with act.of(role["role"]):
            for entry in role.get("keys", []):
                (rackwright_keys if entry.get("fingerprints") else rackwright_fetch).bring(act, entry)
            for entry in role.get("sources", []):
                manager.source(entry)
            if any(entry["name"].startswith(OURS) for entry in role.get("sources", [])):
                manager.forget(OURS, [entry["name"] for entry in role["sources"]])
            _files(act, params, role)
            _remove(act, manager, [glob for glob in role.get("remove", []) if fnmatch.filter(present, glob)])
    pending = _packages(act, manager, {role["role"]: role.get("packages", {}) for role in params["roles"]})
    for role in params["roles"]:
        with act.of(role["role"]):
            for entry in role.get("downloads", []):
                rackwright_fetch.bring(act, entry)
    return pending


def _accounts(act, params):
    with act.of("packages"):
        rackwright_accounts.drop_dead_locks(act)  # scripts of packages make accounts as well
    for role in params["roles"]:
        with act.of(role["role"]):
            rackwright_accounts.bring(act, role.get("groups", []), role.get("users", []))


def _remove(act, manager, globs):
    """Remove the installed packages that match `globs`."""
    if unwanted := sorted(manager.have(globs)):
        act.changed(f"removed {' '.join(unwanted)}")
        if not act.check:
            manager.remove(unwanted)


def _manager(act, params):
    return (Apt if params["family"] == "debian" else Dnf)(act, any_source=params["any_source"])


def _packages(act, manager, bundles):
    """Pin, install and hold packages. Returns the names still missing, which are some only in a check; ActError if one could not be installed."""
    versions = together(bundles)
    before = manager.have(versions) if versions else {}
    missing, unheld = compare(before, versions)
    with act.of("packages"):
        for role, packages in bundles.items():
            manager.pin(role, packages)
        if missing:
            old = "".join(f"{name} {before[name][0] if name in before else 'absent'}\n" for name in missing)
            act.changed("packages", old, "".join(f"{name} {versions.get(name) or 'any version'}\n" for name in missing))
        if act.check:
            unheld = sorted({*unheld, *(name for name in missing if versions.get(name))})
        if not missing and manager.unfinished():
            act.changed("packages that were left half done", "", "configured\n")
            if not act.check:
                manager.finish()
        elif missing and not act.check:
            manager.install(missing, versions)
            after = manager.have(versions)
            wrong, unheld = compare(after, versions)
            if wrong:
                raise ActError(
                    f"the package manager ended well, but these are not as wanted: {describe(wrong, after, versions)}"
                )
        if unheld:
            act.changed("holds", "", "".join(f"{name} hold\n" for name in unheld))
            if not act.check:
                manager.hold(unheld)
    return missing if act.check else []


def configure(act, params):
    """Files, and the commands that belong to them, role by role."""
    for role in params["roles"]:
        with act.of(role["role"]):
            _files(act, params, role)
            for entry in role.get("commands", []):
                rackwright_commands.bring(act, entry, params["watchers"])
    return []


def _files(act, params, role):
    for entry in role.get("files", []):
        secret = params["secrets"].get(entry["path"])
        text = entry.get("text") if secret is None else base64.b64decode(secret)
        rackwright_files.bring(act, {**entry, "text": text}, params["watchers"])


def run(act, params):
    """Units in the order of the roles; files of units may have changed, so systemd reads them first."""
    names = [entry["name"] for role in params["roles"] for entry in role.get("units", [])]
    reload = act.due("systemd.reload")
    if reload and not act.check:
        act.must(["systemctl", "daemon-reload"], "systemd cannot read its units")
    act.done("systemd.reload")
    states = rackwright_units.states(act, sorted(set(names)))
    for role in params["roles"]:
        with act.of(role["role"]):
            for entry in role.get("units", []):
                rackwright_units.bring(act, entry, states[entry["name"]])
    return []


def join(act, params):
    """Units that waited for other hosts, then the file of evidence about the host."""
    run(act, params)
    for role in params["roles"]:
        with act.of(role["role"]):
            for entry in role.get("audit", []):
                rackwright_audit.bring(act, entry, _manager(act, params), params["family"])
    return []


def verify(act, params):
    """Check all expectations; ActError with everything that does not hold."""
    wrong = []
    for role in params["roles"]:
        with act.of(role["role"]):
            problems = [text for entry in role.get("verify", []) if (text := rackwright_verify.problem(act, entry))]
            problems += [
                text
                for entry in role.get("audit", [])
                for text in rackwright_audit.problems(act, entry, params["family"])
            ]
            act.roles[role["role"]]["problems"] = problems
            wrong += [f"{role['role']}: {text}" for text in problems]
    if wrong:
        raise ActError("; ".join(wrong))
    return []


def look(act, params):
    """Compare all parts (`part` of each declaration) without changing anything; ActError with the first difference."""
    for part in PARTS:
        declared = [role for role in params["roles"] if role.get("part") == part]
        if declared:
            PARTS[part](act, {**params, "roles": declared})
        different = [f"{role}: {outcome['changed'][0]}" for role, outcome in act.roles.items() if outcome["changed"]]
        if different:
            raise ActError(different[0])
    return []


PARTS = {"install": install, "configure": configure, "run": run, "join": join, "verify": verify}
