#!/usr/bin/python
"""Ansible module: carries out the declarations of all roles of a host in one call.

The parts are in ``module_utils/rackwright_*``, one kind of declaration each. A module, because a task on one host costs the controller about 50 ms
however little it does, and a node has some twenty roles.
"""

from __future__ import annotations

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.rackwright_act import Act, ActError
from ansible.module_utils.rackwright_parts import PARTS, look
from ansible.module_utils.rackwright_process import run_command

DOCUMENTATION = r"""
module: node_state
short_description: Bring about what roles declare
description:
  - Called by the action role_state, which reads the declarations of roles and fills in their templates.
options:
  part:
    description: What to do with the declarations; look changes nothing and ends at the first thing that is not as declared.
    type: str
    required: true
    choices: [install, configure, run, join, verify, look]
  roles:
    description: >-
      Declarations in the order of the roles (role, and the sections of roles/README.md); for a look each names its part.
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
as_declared:
  description: Whether nothing is left to do.
  returned: after a look
  type: bool
pending:
  description: Packages that are not there yet; only in a check.
  returned: always
  type: list
"""


def main():
    """Carry out one part."""
    module = AnsibleModule(
        argument_spec={
            "part": {"type": "str", "required": True, "choices": [*PARTS, "look"]},
            "roles": {"type": "list", "elements": "dict", "required": True},
            "secrets": {"type": "dict", "default": {}, "no_log": True},
            "watchers": {"type": "dict", "default": {}},
            "due": {"type": "list", "elements": "str", "default": []},
            "family": {"type": "str", "default": "debian", "choices": ["debian", "redhat"]},
            "any_source": {"type": "bool", "default": False},
        },
        supports_check_mode=True,
    )
    module.run_command = run_command
    if module.params["part"] == "look":
        _look(module)
    act = Act(module, due=module.params["due"])
    result = {"roles": act.roles, "pending": []}
    try:
        result["pending"] = PARTS[module.params["part"]](act, module.params)
    except (ActError, OSError) as error:  # the system says no: a full disk, a file system that may only be read
        prefix = "" if module.params["part"] == "verify" else f"{act.role}: "
        module.fail_json(msg=prefix + str(error), **_outcome(module, act), **result)
    module.exit_json(**_outcome(module, act), **result)


def _look(module):
    """Report whether the host is as declared. A difference is no failure here: the parts themselves come next and report it in full."""
    act = Act(module, looking=True)
    try:
        look(act, module.params)
    except (ActError, OSError) as error:
        module.exit_json(changed=False, as_declared=False, why=f"{error}")
    module.exit_json(changed=False, as_declared=True, roles=act.roles)


def _outcome(module, act):
    diff, changed = act.diffs if module._diff else [], any(role["changed"] for role in act.roles.values())
    return {"changed": changed, "diff": diff, "due": act.still_due()}


if __name__ == "__main__":
    main()
