"""Asks the API server in the name of a member of a tenant, so that the rights that the stack gave count, not those of who asks."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.collect.launchers.kubectl import Kubectl, KubectlError
from rackwright.model.tenancy import Tenant

NAME = "rackwright"
"""Of the member, where a tenant has groups alone."""
READY_SECONDS = 300.0
LOOK_SECONDS = 0.5


def member(tenant: Tenant) -> tuple[str, ...]:
    """Options of kubectl that make it ask as a member; none for a tenant without members: nobody may run anything there."""
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
    """Until the controllers have counted the quotas and made the account of pods: before, the API server takes no pod at all."""
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        quotas = await kubectl.json("get", "resourcequotas")
        accounts = await kubectl.json("get", "serviceaccounts")
        names = [account["metadata"]["name"] for account in accounts["items"]]
        if all((quota.get("status") or {}).get("hard") for quota in quotas["items"]) and "default" in names:
            return
        await asyncio.sleep(LOOK_SECONDS)


async def answer(kubectl: Kubectl, document: Mapping[str, Any], options: Sequence[str]) -> str:
    """What the API server says to a pod in a dry run; empty when it takes it."""
    try:
        await kubectl.call("create", "--dry-run=server", "--filename=-", *options, feed=json.dumps(document).encode())
    except KubectlError as error:
        return str(error)
    return ""
