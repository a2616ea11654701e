"""What holds a host together, at the end: held packages against the declared ones, half-done ones, package sources."""

from __future__ import annotations

import fnmatch
import json
import os
import re
from pathlib import Path

from ansible.module_utils.rackwright_apt import UNFINISHED
from ansible.module_utils.rackwright_dnf import LOCKS
from ansible.module_utils.rackwright_files import current, put
from ansible.module_utils.rackwright_versions import compare, pattern_of, said, together

LOCK = re.compile(r"(\S+)-\d+:(\S+)\.[^.\s]+$")
"""A line of versionlock.list: NAME-EPOCH:VERSION-RELEASE.ARCH."""


def bring(act, entry, manager, family):
    """Take holds away that nobody declared, where that was asked for, and write the file of evidence."""
    found = observe(act, family)
    extra = _extra(found, entry)
    if extra and entry.get("release"):
        act.changed("holds that no role declares", "".join(f"{name} hold\n" for name in extra))
        if not act.check:
            manager.release(extra)
            found = observe(act, family)
    text, before = evidence(found, entry), current(entry["path"])
    if text != before:
        act.changed(entry["path"], before, text)
        if not act.check:
            put(entry["path"], text)


def problems(act, entry, family):
    """Everything that is not as declared, with what to do."""
    found, wanted = observe(act, family), together(entry["declared"])
    held = {
        name: (version, is_held) for name, (version, is_held) in found["packages"].items() if _declared(name, wanted)
    }
    wrong, unheld = compare(held, wanted)
    # What is missing is for the role that wants it to say: this looks at what is there.
    wrong = [name for name in wrong if name in held]
    told = []
    if wrong:
        told.append(f"not at the declared version: {said(wrong, held, wanted)}; onboard the host again")
    if unheld:
        told.append(f"declared and not on hold: {' '.join(unheld)}; onboard the host again")
    if _extra(found, entry):
        told.append(
            f"on hold and declared by no role: {' '.join(_extra(found, entry))}; find out who held them, then release them "
            "(apt-mark unhold, dnf versionlock delete) or allow them with hold_and_audit_also"
        )
    if found["unfinished"]:
        told.append(f"half installed: {' '.join(found['unfinished'])}; `dpkg --configure -a` says why")
    if foreign(found, entry):
        told.append(
            f"package sources that are not the site's: {' '.join(foreign(found, entry))}; remove them, or allow them with "
            "hold_and_audit_sources"
        )
    return told


def evidence(found, entry):
    """The text of the file: the same for the same state, so that a second run changes nothing."""
    owner = {name: role for role, packages in sorted(entry["declared"].items()) for name in packages}
    held = {
        name: {"version": version, "role": owner.get(_declared(name, owner), "")}
        for name, (version, is_held) in found["packages"].items()
        if is_held
    }
    facts = {
        "kernel": os.uname().release,
        "held": held,
        "not_declared": _extra(found, entry),
        "unfinished": found["unfinished"],
        "sources": found["sources"],
        "foreign_sources": foreign(found, entry),
    }
    return json.dumps(facts, indent=1, sort_keys=True) + "\n"


def observe(act, family):
    """``packages`` name -> (version, held), ``unfinished`` names, ``sources`` URIs of enabled package sources."""
    if family == "redhat":
        _, out, _ = act.run(["rpm", "--query", "--all", "--queryformat", "%{NAME}\\t%{VERSION}-%{RELEASE}\\n"])
        rows = [line.split("\t") for line in out.splitlines() if "\t" in line]
        locks = [match.groups() for line in current(LOCKS).splitlines() if (match := LOCK.match(line.strip()))]
        locked = {(name, version.rstrip("*")) for name, version in locks}
        found = {}
        for name, version in sorted(rows):
            is_locked = any(one == name and version.startswith(what) for one, what in locked)
            if name not in found or is_locked:
                found[name] = (version, is_locked)
        return {"packages": found, "unfinished": [], "sources": rpm_sources()}
    fields = "${Package}\\t${Version}\\t${db:Status-Want}\\t${db:Status-Status}\\n"
    _, out, _ = act.run(["dpkg-query", "--show", f"--showformat={fields}"])
    rows = [line.split("\t") for line in out.splitlines() if line.count("\t") == 3]
    return {
        "packages": {name: (version, want == "hold") for name, version, want, status in rows if status == "installed"},
        "unfinished": sorted(name for name, _, _, status in rows if status in UNFINISHED),
        "sources": apt_sources(),
    }


def apt_sources(folder="/etc/apt"):
    """URIs of every source that apt would ask (sources.list(5)), in order and once."""
    found = []
    for path in [Path(folder, "sources.list"), *sorted(Path(folder, "sources.list.d").glob("*.list"))]:
        found += re.findall(r"^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)", current(path), re.MULTILINE)
    for path in sorted(Path(folder, "sources.list.d").glob("*.sources")):
        for stanza in re.split(r"\n\s*\n", current(path)):
            if not re.search(r"^Enabled:\s*(no|false|0)\b", stanza, re.MULTILINE | re.IGNORECASE):
                found += " ".join(re.findall(r"^URIs:\s*(.+(?:\n[ \t].+)*)", stanza, re.MULTILINE)).split()
    return list(dict.fromkeys(found))


def rpm_sources(folder="/etc/yum.repos.d"):
    """Addresses of every repository that dnf would ask, in order and once."""
    found = []
    for path in sorted(Path(folder).glob("*.repo")):
        for section in re.split(r"^\[", current(path), flags=re.MULTILINE)[1:]:
            if not re.search(r"^enabled\s*=\s*(0|no|false)\b", section, re.MULTILINE | re.IGNORECASE):
                found += re.findall(r"^(?:baseurl|metalink|mirrorlist)\s*=\s*(\S+)", section, re.MULTILINE)
    return list(dict.fromkeys(found))


def foreign(found, entry):
    """Sources that neither a role declares nor the site allows."""
    return [
        uri
        for uri in found["sources"]
        if not any(uri.rstrip("/") == own.rstrip("/") for own in entry["sources"])
        and not any(re.match(pattern, uri) for pattern in entry.get("allowed_sources", []))
    ]


def _extra(found, entry):
    wanted = together(entry["declared"])
    held = [name for name, (_, is_held) in sorted(found["packages"].items()) if is_held]
    return [
        name
        for name in held
        if not (_declared(name, wanted) and pattern_of(name, wanted))
        and not any(fnmatch.fnmatchcase(name, pattern) for pattern in entry.get("also", []))
    ]


def _declared(name, wanted):
    """The declaration that a package falls under, itself or a wildcard; empty without."""
    if name in wanted:
        return name
    return next((glob for glob in wanted if fnmatch.fnmatchcase(name, glob)), "")
