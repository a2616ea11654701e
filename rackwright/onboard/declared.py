"""What roles declare for a node, with their templates filled in and without a host."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any

from rackwright.base import content
from rackwright.model.software import Bill

FAMILIES = {"rhel": "redhat", "rocky": "redhat"}
RELEASES = {
    "debian-12": "6.1.0-*-amd64",
    "ubuntu-22.04": "5.15.0-*-generic",
    "ubuntu-24.04": "6.8.0-*-generic",
    "rhel-9": "5.14.0-*",
    "rocky-9": "5.14.0-*",
}
"""Kernel of each release as it comes (release notes of the distributions, read 2026-11); the build stands for any."""


def sections(part: str, roles: Sequence[str], variables: Mapping[str, Any], bill: Bill) -> list[dict[str, Any]]:
    """The declarations of `roles` for one part (``install``, ``configure`` ...), in order, one mapping per role.

    A fact that only the host knows is empty; its kernel is the one of the bill, or any build of the distribution's own.
    """
    result, sent = carried_out(part, roles, variables, facts(bill))
    assert not result.get("failed"), result.get("msg")
    return list(sent.get("roles", []))


def carried_out(
    part: str,
    roles: Sequence[str],
    variables: Mapping[str, Any],
    found: Mapping[str, Any],
    answer: Mapping[str, Any] | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The result of ``role_state`` on a host of which ``node_facts`` says `found`, and what ``node_state`` would have been asked for.

    `answer`: what ``node_state`` would say; that nothing changed, when nothing is given.
    """
    sent: dict[str, Any] = {}
    action, known = _action(part, roles, variables), {"rackwright": dict(found)}

    def caught(module_name: str, module_args: dict[str, Any], task_vars: object) -> dict[str, Any]:  # noqa: ARG001
        sent.update(module_args)
        return {"ansible_facts": known} if module_name == "node_facts" else dict(answer or {"changed": False})

    action._execute_module = caught  # the call that would leave for the host
    task_vars = {**variables, "ansible_facts": {**variables.get("ansible_facts", {}), **known}}
    result: dict[str, Any] = action.run(task_vars=task_vars)
    return result, sent


def facts(bill: Bill) -> dict[str, Any]:
    """What ``node_facts`` would say of a fresh node of this bill, as far as the bill knows."""
    system = bill.system
    name, _, version = system.partition("-")
    return {
        "os": system,
        "family": FAMILIES.get(name, "debian"),
        "version": version,
        "kernel": {"release": bill.kernel or RELEASES[system], "cmdline": "", "modules": {}, "headers": True},
        "pci": {"accelerators": [], "nvswitches": [], "nics": []},
        "secure_boot": "unknown",
        "container": False,
        "dkms": [],
        "reboot_required": False,
        "boot_id": "",
    }


def _action(part: str, roles: Sequence[str], variables: Mapping[str, Any]) -> Any:
    from ansible.parsing.dataloader import DataLoader  # type: ignore[import-untyped]  # half a second to import
    from ansible.template import Templar  # type: ignore[import-untyped]

    loader = DataLoader()
    return _module().ActionModule(
        task=SimpleNamespace(args={"part": part, "roles": list(roles)}, async_val=0, check_mode=False, diff=False),
        connection=SimpleNamespace(_shell=SimpleNamespace(tmpdir=""), _remote_is_local=True),
        play_context=SimpleNamespace(check_mode=False),
        loader=loader,
        templar=Templar(loader=loader, variables=dict(variables)),
        shared_loader_obj=None,
    )


@cache
def _module() -> ModuleType:
    path = content.folder("roles", "action_plugins", "role_state.py")
    found = importlib.util.spec_from_file_location("rackwright_role_state", path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module
