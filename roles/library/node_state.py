#!/usr/bin/python
"""Ansible module: brings about what roles declare, for all roles of a host in one call.

In: one part (install, configure, run, verify) of the declarations of roles, in order. Out: what changed by role, with seconds and
differences. The parts stand in ``module_utils/rackwright_*``, one kind of declaration each. It is cut here because a task on one host
costs the controller about 50 ms however little it does, and a node has some twenty roles.
"""

from __future__ import annotations

import base64

from ansible.module_utils import (
    rackwright_accounts,
    rackwright_audit,
    rackwright_commands,
    rackwright_fetch,
    rackwright_files,
    rackwright_units,
    rackwright_verify,
)
from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.rackwright_act import Act, ActError
from ansible.module_utils.rackwright_apt import Packages as Apt
from ansible.module_utils.rackwright_dnf import Packages as Dnf
from ansible.module_utils.rackwright_versions import compare, said, together

DOCUMENTATION = r"""
module: node_state
short_description: Bring about what roles declare
description:
  - Called by the action role_state, which reads the declarations of roles and fills in their templates.
options:
  part:
    description: What to do with the declarations.
    type: str
    required: true
    choices: [install, configure, run, join, verify]
  roles:
    description: Declarations in the order of the roles (role, and the sections of roles/README.md).
    type: list
    elements: dict
    required: true
  secrets:
    description: Content of files that must not be seen, in base64, by path.
    type: dict
    default: {}
  watchers:
    description: What has to follow the change of a file (name of a command or unit to path patterns).
    type: dict
    default: {}
  due:
    description: What an earlier part of the same check would have left to be done.
    type: list
    elements: str
    default: []
  family:
    description: Package manager of the host.
    type: str
    default: debian
    choices: [debian, redhat]
  any_source:
    description: Ask every package source of the host, for sites whose mirror does not carry the distribution.
    type: bool
    default: false
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
author: rackwright
"""

EXAMPLES = r"""
- name: Kernel parameters
  node_state:
    part: configure
    roles:
      - role: limits_sysctl
        files: [{path: /etc/sysctl.d/90-rackwright.conf, text: "vm.zone_reclaim_mode = 1\n"}]
"""

RETURN = r"""
roles:
  description: Seconds and changes by role.
  returned: always
  type: dict
due:
  description: What is left to be done by a later part, such as the restart of a daemon.
  returned: always
  type: list
pending:
  description: Packages that are not there yet; only in a check.
  returned: always
  type: list
"""


def install(act, params):
    """Sources, files that packages read (``early``), unwanted packages, one transaction for all packages, vendor files."""
    manager = _manager(act, params)
    for role in params["roles"]:
        with act.of(role["role"]):
            for entry in role.get("keys", []):
                rackwright_fetch.bring(act, entry)
            for entry in role.get("sources", []):
                manager.source(entry)
            _files(act, params, role)
            if unwanted := sorted(manager.have(role.get("remove", []))):
                act.changed(f"removed {' '.join(unwanted)}")
                if not act.check:
                    manager.remove(unwanted)
    pending = _packages(act, manager, {role["role"]: role.get("packages", {}) for role in params["roles"]})
    for role in params["roles"]:
        with act.of(role["role"]):
            for entry in role.get("downloads", []):
                rackwright_fetch.bring(act, entry)
    return pending


def _manager(act, params):
    return (Apt if params["family"] == "debian" else Dnf)(act, any_source=params["any_source"])


def _packages(act, manager, bundles):
    """What is missing afterwards, which is nothing outside of a check; ActError when it could not be installed."""
    wanted = together(bundles)
    before = manager.have(wanted) if wanted else {}
    missing, unheld = compare(before, wanted)
    with act.of("packages"):
        for role, packages in bundles.items():
            manager.pin(role, packages)
        if missing:
            old = "".join(f"{name} {before[name][0] if name in before else 'absent'}\n" for name in missing)
            act.changed("packages", old, "".join(f"{name} {wanted.get(name) or 'any version'}\n" for name in missing))
        if act.check:
            unheld = sorted({*unheld, *(name for name in missing if wanted.get(name))})
        if not missing and manager.unfinished():
            act.changed("packages that were left half done", "", "configured\n")
            if not act.check:
                manager.finish()
        elif missing and not act.check:
            manager.install(missing, wanted)
            after = manager.have(wanted)
            wrong, unheld = compare(after, wanted)
            if wrong:
                raise ActError(
                    f"the package manager ended well, but these are not as wanted: {said(wrong, after, wanted)}"
                )
        if unheld:
            act.changed("holds", "", "".join(f"{name} hold\n" for name in unheld))
            if not act.check:
                manager.hold(unheld)
    return missing if act.check else []


def configure(act, params):
    """Accounts, files, and the commands that belong to them, role by role."""
    for role in params["roles"]:
        with act.of(role["role"]):
            for entry in role.get("groups", []):
                rackwright_accounts.bring_group(act, entry)
            for entry in role.get("users", []):
                rackwright_accounts.bring_user(act, entry)
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
    """Units that waited for other hosts, then the evidence of what the host has come to."""
    run(act, params)
    for role in params["roles"]:
        with act.of(role["role"]):
            for entry in role.get("audit", []):
                rackwright_audit.bring(act, entry, _manager(act, params), params["family"])
    return []


def verify(act, params):
    """ActError with everything that is not so."""
    wrong = []
    for role in params["roles"]:
        with act.of(role["role"]):
            found = [text for entry in role.get("verify", []) if (text := rackwright_verify.problem(act, entry))]
            found += [
                text
                for entry in role.get("audit", [])
                for text in rackwright_audit.problems(act, entry, params["family"])
            ]
            act.roles[role["role"]]["problems"] = found
            wrong += [f"{role['role']}: {text}" for text in found]
    if wrong:
        raise ActError("; ".join(wrong))
    return []


PARTS = {"install": install, "configure": configure, "run": run, "join": join, "verify": verify}


def main():
    """Carry out one part."""
    module = AnsibleModule(
        argument_spec={
            "part": {"type": "str", "required": True, "choices": list(PARTS)},
            "roles": {"type": "list", "elements": "dict", "required": True},
            "secrets": {"type": "dict", "default": {}, "no_log": True},
            "watchers": {"type": "dict", "default": {}},
            "due": {"type": "list", "elements": "str", "default": []},
            "family": {"type": "str", "default": "debian", "choices": ["debian", "redhat"]},
            "any_source": {"type": "bool", "default": False},
        },
        supports_check_mode=True,
    )
    act = Act(module, due=module.params["due"])
    told = {"roles": act.roles, "pending": []}
    try:
        told["pending"] = PARTS[module.params["part"]](act, module.params)
    except (ActError, OSError) as error:  # the system says no: a full disk, a file system that may only be read
        prefix = "" if module.params["part"] == "verify" else f"{act.role}: "
        module.fail_json(msg=prefix + str(error), **_outcome(module, act), **told)
    module.exit_json(**_outcome(module, act), **told)


def _outcome(module, act):
    diff, changed = act.diffs if module._diff else [], any(role["changed"] for role in act.roles.values())
    return {"changed": changed, "diff": diff, "due": act.still_due()}


if __name__ == "__main__":
    main()
