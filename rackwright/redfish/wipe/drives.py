"""The drives of a machine, and how its BMC erases them.

Schemas: https://redfish.dmtf.org/schemas/v1/Drive.v1_18_0.json (SecureErase, DataSanitizationType), Storage.v1_17_0.json, ActionInfo.v1_4_1.json
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from rackwright.base.errors import OutsideError
from rackwright.redfish.client import Client
from rackwright.redfish.resources.links import link, links
from rackwright.redfish.resources.text_members import word

Document = Mapping[str, Any]
SECURE_ERASE: Final = "#Drive.SecureErase"
KIND: Final = "SanitizationType"
KINDS: Final = {"crypto-erase": "CryptographicErase", "block-erase": "BlockErase", "overwrite": "Overwrite"}
"""What the schema calls each policy."""
UNNAMED: Final = "crypto-erase"
"""What an erase is whose BMC takes no kind: iDRAC erases drives that erase cryptographically, and only those (Dell, iDRAC 9 User's Guide, Erasing PCIe SSD and secure erase devices)."""
APPLY_TIME: Final = "@Redfish.OperationApplyTime"
IMMEDIATE: Final = "Immediate"


class ErasableDrive(NamedTuple):
    """One drive."""

    path: str
    serial: str
    model: str
    erase_path: str
    """Of the action; empty where its BMC does not erase it."""
    kinds: tuple[str, ...]
    """``SanitizationType`` that may be requested; empty: its BMC takes none, and erases in the drive's own way."""
    immediate: bool
    """Whether the request may say that it is to be done at once."""
    document: Document

    def request(self, policy: str) -> dict[str, Any]:
        """What the action is sent for `policy`; overwriting is done once, which is what NIST SP 800-88 rev. 1 asks for (Clear)."""
        kind = {KIND: KINDS[policy]} if self.kinds else {}
        passes = {"OverwritePasses": 1} if self.kinds and policy == "overwrite" else {}
        return {**kind, **passes, **({APPLY_TIME: IMMEDIATE} if self.immediate else {})}


async def read_drives(client: Client, system: str) -> list[ErasableDrive]:
    """All drives of the system at path `system`, in the order of its storage."""
    storage = link(await client.get(system), "Storage")
    units = links(await client.get_optional(storage) or {}, "Members") if storage else []
    paths = [path for unit in units for path in links(await client.get_optional(unit) or {}, "Drives")]
    documents = [await client.get_optional(path) for path in dict.fromkeys(paths)]
    return [await _drive(client, document) for document in documents if document]


def require_erasable(name: str, drives: Sequence[ErasableDrive], policy: str) -> None:
    """OutsideError with every drive of the machine `name` that cannot be erased as `policy` says; nothing was changed then."""
    reasons = [reason for drive in drives if (reason := _obstacle(drive, policy))]
    if not drives:
        reasons = ["its BMC lists no drive"]
    if reasons:
        raise OutsideError(
            f"no drive of {name} was erased: {'; '.join(reasons)}. Erase them with the maker's tool, or let the site declare a wipe that its BMC offers, then run again"
        )


def _obstacle(drive: ErasableDrive, policy: str) -> str:
    called = f"drive {drive.serial or drive.path}"
    if not drive.serial:
        return f"{called} has no serial number, so that nothing would prove which one was erased"
    if not drive.erase_path:
        return f"the BMC does not offer to erase {called}"
    if drive.kinds and KINDS[policy] not in drive.kinds:
        return f"the BMC offers {', '.join(drive.kinds)} for {called}, and no {KINDS[policy]}"
    if not drive.kinds and policy != UNNAMED:
        return f"the BMC takes no {KIND} for {called}: what it does is {UNNAMED}"
    return ""


async def _drive(client: Client, document: Document) -> ErasableDrive:
    actions = document.get("Actions")
    action = actions.get(SECURE_ERASE) if isinstance(actions, Mapping) else None
    action = action if isinstance(action, Mapping) else {}
    listed = action.get(f"{KIND}@Redfish.AllowableValues")
    if not isinstance(listed, list) and (info := word(action, "@Redfish.ActionInfo")):
        listed = _allowed(await client.get_optional(info) or {})
    times = action.get("@Redfish.OperationApplyTimeSupport")
    supported = times.get("SupportedValues") if isinstance(times, Mapping) else None
    return ErasableDrive(
        word(document, "@odata.id"), word(document, "SerialNumber").strip(), word(document, "Model"), word(action, "target"),
        tuple(str(kind) for kind in listed or ()) if isinstance(listed, list) else (),
        isinstance(supported, list) and IMMEDIATE in supported, document,
    )  # fmt: skip


def _allowed(info: Document) -> Any:
    parameters = info.get("Parameters")
    entries = [entry for entry in parameters if isinstance(entry, Mapping)] if isinstance(parameters, list) else []
    return next((entry.get("AllowableValues") for entry in entries if entry.get("Name") == KIND), None)
