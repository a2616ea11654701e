"""UEFI Secure Boot of a machine through its BMC: set for the next boot, and read back after it. Keys are left as they are.

Schema: https://redfish.dmtf.org/schemas/v1/SecureBoot.v1_1_2.json
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rackwright.base.errors import OutsideError
from rackwright.redfish.client import Client
from rackwright.redfish.resources.text_members import word

ENABLED: Final = "Enabled"
DISABLED: Final = "Disabled"
WITHOUT_KEYS = {"SetupMode"}
"""Modes in which no platform key is enrolled, so that nothing is verified (UEFI specification 2.10, section 32.3)."""


class SecureBootView(NamedTuple):
    """Secure Boot as the BMC shows it; both states are ``Enabled`` or ``Disabled``."""

    path: str
    current: str
    """In force since the last boot."""
    following: str
    """From the next boot on."""
    mode: str
    """Whose keys are enrolled: ``UserMode``, ``SetupMode``, ``AuditMode`` or ``DeployedMode``."""


async def read_secure_boot(client: Client, path: str) -> SecureBootView | None:
    """Secure Boot at `path`; None for a BMC that does not show it."""
    document = await client.get_optional(path) if path else None
    enabled = (document or {}).get("SecureBootEnable")
    if document is None or not isinstance(enabled, bool):
        return None
    following = ENABLED if enabled else DISABLED
    return SecureBootView(
        path, word(document, "SecureBootCurrentBoot") or following, following, word(document, "SecureBootMode")
    )


def require_settable(name: str, view: SecureBootView | None, declared: str) -> None:
    """OutsideError where the machine `name` cannot have the `declared` state; nothing was changed then."""
    if view is None:
        raise OutsideError(
            f"the BMC of {name} does not show Secure Boot: set it in its setup, and remove secure_boot from the site"
        )
    if declared == ENABLED and view.mode in WITHOUT_KEYS and view.following != declared:
        raise OutsideError(
            f"Secure Boot of {name} cannot be enabled: no platform key is enrolled ({view.mode}); nothing was changed: enrol the keys "
            "(the maker's ones by SecureBoot.ResetKeys, or in its setup), then run again"
        )


async def set_following(client: Client, view: SecureBootView, declared: str) -> None:
    """Have it `declared` from the next boot on; nothing is reset."""
    await client.patch(view.path, {"SecureBootEnable": declared == ENABLED})
