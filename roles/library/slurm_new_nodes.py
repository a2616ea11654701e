#!/usr/bin/python
"""Ansible module: drains the nodes that a Slurm controller sees for the first time, and no others.

A module, because slurm.conf cannot express it: ``State=DRAIN`` and ``DownNodes`` are applied again at every restart and every ``scontrol
reconfigure`` of slurmctld 22.05, so that a re-run would drain nodes in service and overwrite the reasons of operators (tried). Seen nodes are
recorded in the controller's own state folder: if that state is lost, every node is new again, and the gate starts closed.
"""

from __future__ import annotations

import time
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

DOCUMENTATION = r"""
module: slurm_new_nodes
short_description: Drain nodes that the Slurm controller meets for the first time
options:
  nodes:
    description: Node names of slurm.conf.
    type: list
    elements: str
    required: true
  reason:
    description: Reason of the drain.
    type: str
    required: true
  state_folder:
    description: StateSaveLocation of slurmctld.
    type: path
    required: true
  wait_seconds:
    description: How long slurmctld may take to answer after a start.
    type: int
    default: 30
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
author: rackwright
"""

EXAMPLES = r"""
- name: Keep new nodes out until they are accepted
  slurm_new_nodes:
    nodes: [train-001, train-002]
    reason: acceptance pending
    state_folder: /var/lib/slurm/slurmctld
"""

RETURN = r"""
drained:
  description: Nodes that were met for the first time.
  returned: always
  type: list
"""

RECORD = "rackwright-met"
POLL_SECONDS = 0.2


def met(path):
    """The nodes that were drained on first sight in an earlier run."""
    try:
        return set(path.read_text(encoding="utf-8").split())
    except FileNotFoundError:
        return set()


def wait_for_controller(module):
    """Return when slurmctld answers; fail with its own error if it does not."""
    end = time.monotonic() + module.params["wait_seconds"]
    while True:
        code, out, err = module.run_command(["scontrol", "ping"])
        if code == 0 and " UP" in out:
            return
        if time.monotonic() > end:
            module.fail_json(msg=f"slurmctld does not answer: {(out or err).strip()}")
        time.sleep(POLL_SECONDS)


def main():
    """Drain the new nodes and record them."""
    module = AnsibleModule(
        argument_spec={
            "nodes": {"type": "list", "elements": "str", "required": True},
            "reason": {"type": "str", "required": True},
            "state_folder": {"type": "path", "required": True},
            "wait_seconds": {"type": "int", "default": 30},
        },
        supports_check_mode=True,
    )
    record = Path(module.params["state_folder"]) / RECORD
    known_nodes = met(record)
    new = [node for node in module.params["nodes"] if node not in known_nodes]
    gone = known_nodes.difference(module.params["nodes"])
    if gone and not module.check_mode:
        # a node that leaves Slurm and comes back was something else meanwhile: it is new again
        record.write_text("".join(f"{node}\n" for node in sorted(known_nodes - gone)), encoding="utf-8")
    if new and not module.check_mode:
        wait_for_controller(module)
        drain(module, new)
        with record.open("a", encoding="utf-8") as file:
            file.write("".join(f"{node}\n" for node in new))
    diff = {"before": "", "after": "".join(f"{node} drained: {module.params['reason']}\n" for node in new)}
    module.exit_json(changed=bool(new or gone), drained=new, diff=diff if module._diff else {})


def drain(module, nodes):
    """Drain all `nodes` in one call."""
    words = [f"NodeName={','.join(nodes)}", "State=DRAIN", f"Reason={module.params['reason']}"]
    code, _, err = module.run_command(["scontrol", "update", *words])
    if code != 0:
        module.fail_json(msg=f"scontrol could not drain {', '.join(nodes)}: {err.strip()}")


if __name__ == "__main__":
    main()
