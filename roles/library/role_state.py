#!/usr/bin/python
"""Ansible module: the documentation of the action of this name, which `ansible-doc` reads here. The action does the work."""

from __future__ import annotations

DOCUMENTATION = r"""
module: role_state
short_description: Carry out one part of what roles declare on a host
description:
  - A role declares in its C(state.yml) what it brings about. This action fills in the templates of the declarations with the variables of the host,
    and has the module C(node_state) carry out one part of them, for all given roles at once.
  - It runs on the controller. The parts follow one another as in C(site.yml), or in C(role.yml) for a role by itself.
  - "The roles are those of the collection, or of the C(roles) folder beside the playbook. With C(--tags) or C(--skip-tags) a task that gives I(roles)
    carries out only the roles of these names; a tag that is no role fails the part C(validate)."
options:
  part:
    description:
      - C(validate) refuses options that cannot work, without a connection to the host.
      - C(look) gathers facts and compares the host with its declarations.
      - C(install) brings accounts, package sources, packages and downloads; C(configure) files and commands; C(run) units.
      - C(reboot) sets the fact C(rackwright_reboot_reasons) and reboots nothing.
      - C(join) starts units that wait for other hosts, and stores what is installed as evidence on the host.
      - C(verify) changes nothing and fails with everything that differs from the declarations.
    type: str
    required: true
    choices: [validate, look, install, configure, reboot, run, join, verify]
  roles:
    description: Names of roles, in order; without it the role that the task belongs to.
    type: list
    elements: str
attributes:
  check_mode: {support: full}
  diff_mode: {support: full}
author: rackwright
"""

EXAMPLES = r"""
- name: Change nothing, and report what differs from the declarations of two roles
  hosts: all
  gather_facts: false
  tasks:
    - name: See whether driver and NCCL are as declared
      rackwright.cluster.role_state:
        part: verify
        roles: [nvidia_driver, nccl]
      vars:
        nvidia_driver_version: 580.173.02
        nccl_version: 2.30.4
        nccl_cuda: "13.0"

# A role by itself needs no task of this kind: it carries out its parts in their order.
- name: Bring NCCL to one version
  hosts: all
  roles:
    - role: rackwright.cluster.nccl
      vars: {nccl_version: 2.30.4, nccl_cuda: "13.0"}
"""

RETURN = r"""
roles:
  description: Role -> what was changed, with the differences where the play runs with C(--diff).
  returned: parts that change something
  type: dict
problems:
  description: Every reason of a failure; C(msg) holds them in one line.
  returned: failure
  type: list
  elements: str
ansible_facts:
  description: C(rackwright), the facts of the host; C(rackwright_as_declared), C(rackwright_selected_roles) and C(rackwright_reboot_reasons).
  returned: parts look and reboot, and the first part of a role by itself
  type: dict
"""
