"""Sends requests to the API server in the name of a tenant's member, so that the rights granted by the stack count, not
our own.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.collect.launchers.kubectl import Kubectl, KubectlError
from rackwright.model.tenancy import Tenant

NAME = "rackwright"
"""Name of the member if a tenant has only groups."""
READY_SECONDS = 300.0
LOOK_SECONDS = 0.5


def member(tenant: Tenant) -> tuple[str, ...]:
    """Options of kubectl that impersonate a member; empty for a tenant without members, in which nobody may run
    anything.
    """
    users, groups = tenant.members.users, tenant.members.groups
    if not users and not groups:
        return ()
    name = users[0] if users else NAME
    return (
        f"--as={name}",
        *(f"--as-group={group}" for group in groups[:1] if not users),
        "--as-group=system:authenticated",
    )


async def ready(kubectl: Kubectl) -> None:
    """Wait until the controllers have counted the quotas and created the account of pods: before, the API server
    accepts no pod.
    """
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        quotas = await kubectl.json("get", "resourcequotas")
        accounts = await kubectl.json("get", "serviceaccounts")
        names = [account["metadata"]["name"] for account in accounts["items"]]
        if all((quota.get("status") or {}).get("hard") for quota in quotas["items"]) and "default" in names:
            return
        await asyncio.sleep(LOOK_SECONDS)


async def answer(kubectl: Kubectl, document: Mapping[str, Any], options: Sequence[str]) -> str:
    """The error of the API server for a pod in a dry run; empty if it is accepted."""
    try:
        await kubectl.call("create", "--dry-run=server", "--filename=-", *options, feed=json.dumps(document).encode())
    except KubectlError as error:
        return str(error)
    return ""
