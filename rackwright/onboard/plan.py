"""The Ansible inventory of a design: which host is in which group, and the variables of the roles.

In: the design, the hosts of this run, how they are reached. Out: an `Inventory`. Pure. Cut here because this is the whole
border between our records and the variables of the roles: every left-hand side below is an option of some
``roles/*/meta/argument_specs.yml``.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rackwright.model.access import Access
from rackwright.model.design import Design, Node
from rackwright.model.inventory import Inventory
from rackwright.model.site import Site
from rackwright.onboard import slurm

JOB_USER = "acceptance"
JOB_USER_ID = 64100
"""Account that acceptance jobs run under, with one number on every host. Debian gives 60000 to 64999 to packages on request
(Debian policy, 9.2.2), so that no installer hands it out; Slurm's own package has 64030."""


def inventory(design: Design, nodes: Sequence[str], access: Access, munge_key: Path) -> Inventory:
    """Hosts, groups and variables for `nodes`; the site-wide files (names, slurm.conf) cover the whole design.

    `munge_key` is a path: the key itself never enters the inventory. KeyError for a node that the design does not have.
    """
    members = [design.node(name) for name in nodes]
    groups: dict[str, list[str]] = {}
    for node in members:
        for group in _groups(node):
            groups.setdefault(group, []).append(node.name)
    return Inventory(
        hosts={node.name: _host(node) for node in members},
        groups=groups,
        variables={
            **_reach(access),
            **_software(design.site),
            **_accounts(),
            "base_ntp_servers": list(design.site.control.ntp_servers),
            "base_hosts": {node.name: node.inband_address for node in design.nodes()},
            **slurm.variables(design, munge_key),
        },
    )


def _groups(node: Node) -> list[str]:
    """The role switches of the server SKU, without the scheduler's where the node has another purpose."""
    wrong = {group for group in ("slurm_node",) if node.scheduler != "slurm" or node.role != "accelerator"}
    wrong |= {group for group in ("slurm_controller",) if node.role != "slurm"}
    return [group for group in node.server.ansible_groups if group not in wrong]


def _host(node: Node) -> dict[str, Any]:
    rails = [name for port in node.server.ports if port.role == "compute" for name in port.names]
    return {
        "ansible_host": node.inband_address,
        "rackwright_rack": node.rack,
        "rackwright_pool": node.pool,
        "rackwright_accelerators": node.accelerators,
        "nccl_ib_hca": rails,
    }


def _reach(access: Access) -> dict[str, Any]:
    """SSH with the site's key, and with host keys that were known before; an unknown or changed host key is refused."""
    trust = ["-o", f"UserKnownHostsFile={access.known_hosts}", "-o", "GlobalKnownHostsFile=/dev/null"]
    return {
        "ansible_user": access.ssh_user,
        "ansible_become": access.ssh_user != "root",
        "ansible_ssh_private_key_file": str(access.ssh_key),
        "ansible_ssh_common_args": shlex.join([*trust, "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes"]),
        "ansible_python_interpreter": "/usr/bin/python3",
    }


def _software(site: Site) -> dict[str, Any]:
    bill = site.software
    return {
        "base_apt_mirror": bill.apt_mirror,
        "nvidia_driver_version": bill.driver,
        "nvidia_fabric_version": bill.fabric_manager,
        "container_toolkit_version": bill.container_toolkit,
        "dcgm_version": bill.dcgm,
        "dcgm_cuda": bill.cuda,
        "nccl_version": bill.nccl,
        "nccl_cuda": bill.cuda,
    }


def _accounts() -> dict[str, Any]:
    return {
        "base_groups": [{"name": JOB_USER, "gid": JOB_USER_ID}],
        "base_users": [
            {"name": JOB_USER, "uid": JOB_USER_ID, "group": JOB_USER, "comment": "runs the jobs of acceptance tests"}
        ],
    }
