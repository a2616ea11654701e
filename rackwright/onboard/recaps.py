"""Two plays of one host as one result."""

from __future__ import annotations

from rackwright.model.inventory import HostRecap, RoleRecap


def combined_recap(first: HostRecap, then: HostRecap) -> HostRecap:
    """The later play says how the host is; what was changed on the way adds up."""
    roles = dict(first.roles)
    for role, recap in then.roles.items():
        had = roles.get(role, RoleRecap())
        roles[role] = RoleRecap(seconds=round(had.seconds + recap.seconds, 3), changed=(*had.changed, *recap.changed))
    return then.model_copy(
        update={
            "changed": first.changed + then.changed,
            "attempts": first.attempts + then.attempts,
            "rebooted": first.rebooted or then.rebooted,
            "roles": roles,
        }
    )
