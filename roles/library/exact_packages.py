#!/usr/bin/python
"""Ansible module: exact package versions as one act: pinned, installed and held, in one apt transaction.

In: bundles of packages with version patterns. Out: what was installed, pinned and held. It is cut here, and not built from
ansible.builtin.apt plus dpkg_selections, for three reasons: a version that is pinned but not held (or held but not
pinned) is how a driver drifts away from its fabric manager; check mode has to be honest on a host that does not know
the package source yet; and a second run costs one dpkg-query instead of opening the apt cache once per role.
"""

from __future__ import annotations

import fnmatch
import os
import tempfile
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

DOCUMENTATION = r"""
module: exact_packages
short_description: Pin, install and hold exact package versions in one apt transaction
description:
  - Compares what dpkg has with what is wanted; does nothing when they agree.
  - Otherwise writes one apt preferences file per bundle, refreshes the index of one source, installs everything that
    differs in one transaction, and holds every package that has a version.
options:
  bundles:
    description:
      - Bundle name to packages; a package maps to a version pattern (fnmatch), or to an empty string for any.
      - A package name with wildcards is not installed by itself; what matches it is pinned, kept at the version and held.
    type: dict
    required: true
  source:
    description: Apt source file to refresh and install from; other sources of the host are not asked.
    type: path
    required: true
  any_source:
    description: Ask every source of the host, for sites whose mirror does not carry the distribution.
    type: bool
    default: false
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
author: rackwright
"""

EXAMPLES = r"""
- name: Driver and fabric manager at one version
  exact_packages:
    source: /etc/apt/sources.list.d/rackwright.sources
    bundles:
      nvidia_driver: {nvidia-open: "580.173.02-*"}
      base: {chrony: ""}
"""

RETURN = r"""
installed:
  description: Packages that were installed or brought to another version, with what they were before.
  returned: always
  type: dict
pinned:
  description: Preferences files that were written.
  returned: always
  type: list
held:
  description: Packages that were put on hold.
  returned: always
  type: list
present:
  description: Whether everything is installed now; false in a check of a host that lacks something.
  returned: always
  type: bool
"""

PREFERENCES = "/etc/apt/preferences.d"
PIN_PRIORITY = 1001  # apt_preferences(5): above 1000 a version is installed even when that is a downgrade
JOURNAL = (
    "/var/lib/dpkg/updates"  # not empty: dpkg was killed in the middle, and apt refuses everything until it has ended
)
QUIET = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}


def dpkg_state(module, names):
    """Package -> (version, wanted selection) of what is fully installed."""
    fields = "${Package}\\t${Version}\\t${db:Status-Want}\\t${db:Status-Status}\\n"
    _, out, _ = module.run_command(["dpkg-query", "--show", "--showformat", fields, *sorted(names)])
    rows = [line.split("\t") for line in out.splitlines() if line]
    return {name: (version, want) for name, version, want, status in rows if status == "installed"}


def has_wildcard(name):
    """Whether a name stands for whatever is installed under it."""
    return any(sign in name for sign in "*?[")


def pattern_of(name, wanted):
    """The version pattern of an installed package: its own, or that of the wildcard that it falls under."""
    if name in wanted:
        return wanted[name]
    return next(pattern for glob, pattern in wanted.items() if has_wildcard(glob) and fnmatch.fnmatchcase(name, glob))


def compare(have, wanted):
    """(packages to install, packages to hold): what dpkg has against what is wanted."""
    asked = [name for name in sorted(wanted) if not has_wildcard(name)]
    wrong = [name for name in sorted(have) if not matches(have[name][0], pattern_of(name, wanted))]
    missing = sorted({*wrong, *(name for name in asked if name not in have)})
    unheld = [name for name in sorted(have) if pattern_of(name, wanted) and have[name][1] != "hold"]
    return missing, unheld


def matches(version, pattern):
    """Whether an installed version is what is wanted."""
    return not pattern or fnmatch.fnmatchcase(version, pattern)


def pin_text(packages):
    """An apt preferences file for the packages with a version."""
    stanzas = []
    for name, pattern in sorted(packages.items()):
        if pattern:
            stanzas.append(f"Package: {name}\nPin: version {pattern}\nPin-Priority: {PIN_PRIORITY}\n")
    return "# written by rackwright\n" + "\n".join(stanzas)


def read(path):
    """The text of a file, empty when there is none."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def stale_pins(bundles):
    """Preferences path -> (old text, new text) of every pin file that has to change."""
    changes = {}
    for bundle, packages in bundles.items():
        if not any(packages.values()):
            continue
        path = f"{PREFERENCES}/rackwright-{bundle.replace('_', '-')}"
        old, new = read(path), pin_text(packages)
        if old != new:
            changes[path] = (old, new)
    return changes


def apt(module, *words):
    """Run apt-get against one source (or all); fails the module with apt's own words."""
    options = ["-o", "DPkg::Lock::Timeout=60", "-o", "Dpkg::Use-Pty=0"]
    if not module.params["any_source"]:
        source = module.params["source"]
        # The cache of the other sources takes seconds to build; this one is small, so it is built in memory.
        options += ["-o", f"Dir::Etc::sourcelist={source}", "-o", "Dir::Etc::sourceparts=-"]
        options += ["-o", "APT::Get::List-Cleanup=0", "-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache="]
    code, out, err = module.run_command(["apt-get", "--quiet", *options, *words], environ_update=QUIET)
    if code != 0:
        reasons = [line for line in err.splitlines() if line.startswith("E:")] or err.splitlines()[-3:]
        hint = "" if module.params["any_source"] else f" (only {module.params['source']} was asked)"
        module.fail_json(msg=f"apt-get {words[0]} failed: {' '.join(reasons)}{hint}", stdout=out, stderr=err)


def end_interrupted(module):
    """Let dpkg end what a killed run, or a reboot in the middle of one, left half done."""
    if any(Path(JOURNAL).iterdir()):
        code, out, err = module.run_command(["dpkg", "--force-confold", "--configure", "-a"], environ_update=QUIET)
        if code != 0:
            module.fail_json(msg="dpkg was interrupted and cannot end its work", stdout=out, stderr=err)


def write(path, text):
    """Replace a file in one step."""
    Path(path).parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=Path(path).parent, prefix=".rackwright-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(temporary).chmod(0o644)
    Path(temporary).replace(path)


def hold(module, names):
    """Put packages on hold."""
    words = "".join(f"{name} hold\n" for name in names)
    code, _, err = module.run_command(["dpkg", "--set-selections"], data=words, binary_data=False)
    if code != 0:
        module.fail_json(msg=f"dpkg --set-selections failed: {err.strip()}")


def wanted_packages(module):
    """Package -> pattern over all bundles; two bundles that disagree are refused."""
    wanted = {}
    for bundle, packages in sorted(module.params["bundles"].items()):
        for name, pattern in packages.items():
            if wanted.get(name) and pattern and wanted[name] != pattern:
                module.fail_json(msg=f"{name} is wanted as {wanted[name]} and, by {bundle}, as {pattern}")
            wanted[name] = wanted.get(name) or pattern or ""
    return wanted


def main():
    """Compare, then pin, install and hold what differs."""
    module = AnsibleModule(
        argument_spec={
            "bundles": {"type": "dict", "required": True},
            "source": {"type": "path", "required": True},
            "any_source": {"type": "bool", "default": False},
        },
        supports_check_mode=True,
    )
    wanted = wanted_packages(module)
    before = dpkg_state(module, wanted)
    missing, unheld = compare(before, wanted)
    pins = stale_pins(module.params["bundles"])
    if module.check_mode:
        report(module, before, wanted, missing, sorted({*unheld, *(n for n in missing if wanted.get(n))}), pins)
    for path, (_, text) in pins.items():
        write(path, text)
    if missing:
        unheld = install(module, missing, wanted)
    if unheld:
        hold(module, unheld)
    report(module, before, wanted, missing, unheld, pins)


def install(module, missing, wanted):
    """One transaction, then proof: apt's exit status alone does not show that the wanted versions are there.

    Returns the packages that have to be held now.
    """
    end_interrupted(module)
    apt(module, "update")
    words = [f"{name}={pattern}" if (pattern := pattern_of(name, wanted)) else name for name in missing]
    changes = ["--allow-downgrades", "--allow-change-held-packages", "--no-install-recommends"]
    apt(module, "install", "--yes", *changes, *words)
    after = dpkg_state(module, wanted)
    wrong, unheld = compare(after, wanted)
    if wrong:
        found = ", ".join(
            f"{name} {after.get(name, ('missing',))[0]} (wanted {pattern_of(name, wanted) or 'any'})" for name in wrong
        )
        module.fail_json(msg=f"apt-get ended well, but these are not as wanted: {found}")
    return unheld


def report(module, before, wanted, missing, held, pins):
    """Leave the module with what changed, as facts and as a diff."""
    old = {name: before[name][0] if name in before else "absent" for name in missing}
    diff = [{"before_header": path, "after_header": path, "before": a, "after": b} for path, (a, b) in pins.items()]
    if missing or held:
        lines_before = [f"{name} {old[name]}" for name in missing]
        lines_after = [f"{name} {pattern_of(name, wanted) or 'any version'}" for name in missing]
        lines_after += [f"{name} hold" for name in held]
        diff.append({"before": "\n".join(lines_before) + "\n", "after": "\n".join(lines_after) + "\n"})
        diff[-1].update(before_header="packages", after_header="packages")
    changed = bool(missing or held or pins)
    facts = {"installed": old, "held": held, "pinned": sorted(pins), "present": not (missing and module.check_mode)}
    module.exit_json(changed=changed, diff=diff if module._diff else [], **facts)


if __name__ == "__main__":
    main()
