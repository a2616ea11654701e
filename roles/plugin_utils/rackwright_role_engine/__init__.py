"""The role engine: reads what roles declare, fills in their templates, and has ``node_state`` carry them out on a host.

It needs ansible-core and nothing of rackwright. The action ``role_state`` calls it during a play, and ``rackwright.onboard`` to read
declarations without a host. ``roles/README.md`` describes the declarations and the parts.
"""

from .declarations import RoleDeclarations, read_role_files, read_yaml
from .engine import RoleEngine
from .host_roles import HostRoles
from .tags import tagged_roles, unknown_tags

__all__ = [
    "HostRoles",
    "RoleDeclarations",
    "RoleEngine",
    "read_role_files",
    "read_yaml",
    "tagged_roles",
    "unknown_tags",
]
