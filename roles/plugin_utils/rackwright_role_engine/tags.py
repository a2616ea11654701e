"""``--tags`` and ``--skip-tags`` of a play over all roles of a host: the tags are the names of roles."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

EVERY_TASK = ("all", "tagged")
"""Tags that select every task of ``site.yml``, as Ansible itself reads them."""


def tagged_roles(roles: Sequence[str], task_vars: Mapping[str, Any]) -> list[str]:
    """Those of `roles` that the tags of the play select."""
    tags, skipped = task_vars.get("ansible_run_tags", EVERY_TASK), task_vars.get("ansible_skip_tags", ())
    every_role = any(tag in EVERY_TASK for tag in tags)
    return [role for role in roles if (every_role or role in tags) and role not in skipped]


def unknown_tags(roles: Iterable[str], task_vars: Mapping[str, Any]) -> list[str]:
    """A sentence per tag without a role in `roles` (all existing roles): a play without any role would look like one that succeeded."""
    roles = sorted(roles)
    tags_of = {
        "--tags": [tag for tag in task_vars.get("ansible_run_tags", ()) if tag not in EVERY_TASK],
        "--skip-tags": task_vars.get("ansible_skip_tags", ()),
    }
    return [
        f"{option} {tag}: there is no such role; write {' or '.join(difflib.get_close_matches(tag, roles) or roles)}"
        for option, tags in tags_of.items()
        for tag in tags
        if tag not in roles
    ]
