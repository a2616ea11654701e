"""The final audit of a host: held packages against the declared ones, unfinished packages, package sources."""

from __future__ import annotations

import fnmatch
import json
import os
import re
from pathlib import Path

from ansible.module_utils.rackwright_apt import UNFINISHED
from ansible.module_utils.rackwright_dnf import LOCKS
from ansible.module_utils.rackwright_files import current, put
from ansible.module_utils.rackwright_versions import compare, describe, pattern_of, together

LOCK = re.compile(r"(\S+)-\d+:(\S+)\.[^.\s]+$")
"""A line of versionlock.list: NAME-EPOCH:VERSION-RELEASE.ARCH."""


def bring(act, entry, manager, family):
    """Remove holds that no role declares, if the entry says so, and write the file of evidence."""
    observed = observe(act, family)
    extra = _extra(observed, entry)
    if extra and entry.get("release"):
        act.changed("holds that no role declares", "".join(f"{name} hold\n" for name in extra))
        if not act.check:
            manager.release(extra)
            observed = observe(act, family)
    text, before = evidence(observed, entry), current(entry["path"])
    if text != before:
        act.changed(entry["path"], before, text)
        if not act.check:
            put(entry["path"], text)


def problems(act, entry, family):
    """Everything that is not as declared, with what to do."""
    observed, declared = observe(act, family), together(entry["declared"])
    held_packages = {
        name: (version, is_held)
        for name, (version, is_held) in observed["packages"].items()
        if _declared(name, declared)
    }
    wrong, unheld = compare(held_packages, declared)
    # A missing package is reported by the role that requires it; the audit looks at installed ones.
    wrong = [name for name in wrong if name in held_packages]
    problems = []
    if wrong:
        problems.append(
            f"not at the declared version: {describe(wrong, held_packages, declared)}; onboard the host again"
        )
    if unheld:
        problems.append(f"declared and not on hold: {' '.join(unheld)}; onboard the host again")
    if _extra(observed, entry):
        problems.append(
            f"on hold and declared by no role: {' '.join(_extra(observed, entry))}; find out who held them, then release them "
            "(apt-mark unhold, dnf versionlock delete) or allow them with hold_and_audit_also"
        )
    if observed["unfinished"]:
        problems.append(f"half installed: {' '.join(observed['unfinished'])}; `dpkg --configure -a` says why")
    if foreign(observed, entry):
        problems.append(
            f"package sources that are not the site's: {' '.join(foreign(observed, entry))}; remove them, or allow them with "
            "hold_and_audit_sources"
        )
    return problems


def evidence(observed, entry):
    """The text of the file: equal for equal states, so that a second run changes nothing."""
    owner = {name: role for role, packages in sorted(entry["declared"].items()) for name in packages}
    held_packages = {
        name: {"version": version, "role": owner.get(_declared(name, owner), "")}
        for name, (version, is_held) in observed["packages"].items()
        if is_held
    }
    facts = {
        "kernel": os.uname().release,
        "held": held_packages,
        "not_declared": _extra(observed, entry),
        "unfinished": observed["unfinished"],
        "sources": observed["sources"],
        "foreign_sources": foreign(observed, entry),
    }
    return json.dumps(facts, indent=1, sort_keys=True) + "\n"


def observe(act, family):
    """``packages`` name -> (version, held), ``unfinished`` names, ``sources`` URIs of enabled package sources."""
    if family == "redhat":
        _, out, _ = act.run(["rpm", "--query", "--all", "--queryformat", "%{NAME}\\t%{VERSION}-%{RELEASE}\\n"])
        rows = [line.split("\t") for line in out.splitlines() if "\t" in line]
        locks = [match.groups() for line in current(LOCKS).splitlines() if (match := LOCK.match(line.strip()))]
        locked = {(name, version.rstrip("*")) for name, version in locks}
        packages = {}
        for name, version in sorted(rows):
            is_locked = any(locked_name == name and version.startswith(what) for locked_name, what in locked)
            if name not in packages or is_locked:
                packages[name] = (version, is_locked)
        return {"packages": packages, "unfinished": [], "sources": rpm_sources()}
    fields = "${Package}\\t${Version}\\t${db:Status-Want}\\t${db:Status-Status}\\n"
    _, out, _ = act.run(["dpkg-query", "--show", f"--showformat={fields}"])
    rows = [line.split("\t") for line in out.splitlines() if line.count("\t") == 3]
    return {
        "packages": {name: (version, want == "hold") for name, version, want, status in rows if status == "installed"},
        "unfinished": sorted(name for name, _, _, status in rows if status in UNFINISHED),
        "sources": apt_sources(),
    }


def apt_sources(folder="/etc/apt"):
    """URIs of every source that apt uses (sources.list(5)), in order and once."""
    uris = []
    for path in [Path(folder, "sources.list"), *sorted(Path(folder, "sources.list.d").glob("*.list"))]:
        uris += re.findall(r"^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)", current(path), re.MULTILINE)
    for path in sorted(Path(folder, "sources.list.d").glob("*.sources")):
        for stanza in re.split(r"\n\s*\n", current(path)):
            if not re.search(r"^Enabled:\s*(no|false|0)\b", stanza, re.MULTILINE | re.IGNORECASE):
                uris += " ".join(re.findall(r"^URIs:\s*(.+(?:\n[ \t].+)*)", stanza, re.MULTILINE)).split()
    return list(dict.fromkeys(uris))


def rpm_sources(folder="/etc/yum.repos.d"):
    """Addresses of every repository that dnf uses, in order and once."""
    uris = []
    for path in sorted(Path(folder).glob("*.repo")):
        for section in re.split(r"^\[", current(path), flags=re.MULTILINE)[1:]:
            if not re.search(r"^enabled\s*=\s*(0|no|false)\b", section, re.MULTILINE | re.IGNORECASE):
                uris += re.findall(r"^(?:baseurl|metalink|mirrorlist)\s*=\s*(\S+)", section, re.MULTILINE)
    return list(dict.fromkeys(uris))


def foreign(observed, entry):
    """Sources that neither a role declares nor the site allows."""
    return [
        uri
        for uri in observed["sources"]
        if not any(uri.rstrip("/") == source.rstrip("/") for source in entry["sources"])
        and not any(re.match(pattern, uri) for pattern in entry.get("allowed_sources", []))
    ]


def _extra(observed, entry):
    declared = together(entry["declared"])
    held_packages = [name for name, (_, is_held) in sorted(observed["packages"].items()) if is_held]
    return [
        name
        for name in held_packages
        if not (_declared(name, declared) and pattern_of(name, declared))
        and not any(fnmatch.fnmatchcase(name, pattern) for pattern in entry.get("also", []))
    ]


def _declared(name, declared):
    """The declaration that a package falls under, itself or a wildcard; empty without."""
    if name in declared:
        return name
    return next((glob for glob in declared if fnmatch.fnmatchcase(name, glob)), "")
