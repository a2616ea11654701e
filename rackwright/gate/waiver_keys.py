"""Approvers with keys: a waiver in the name of one counts only with the signature of that key over all that the waiver says.

How a signature is made and read is passed in: the gate knows what is signed, and by whom it must be.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rackwright.model.gate import Waiver, WaiverSignature
from rackwright.model.site import Acceptance

UNSIGNED = ("approved_by",)
"""Fields that others add to after the first signature."""
SignerOf = Callable[[bytes, WaiverSignature], str]
"""The fingerprint of the key whose signature of the content that is; empty where it is not one of it."""


def signer_of_nobody(_content: bytes, _signature: WaiverSignature) -> str:
    """No signature is anybody's."""
    return ""


@dataclass(frozen=True)
class ApproverKeys:
    """Whose signatures waivers of a site need."""

    site: str = ""
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    """By name of an approver with a key."""
    signer_of: SignerOf = signer_of_nobody

    def missing(self, waiver: Waiver, signatures: Iterable[WaiverSignature]) -> Iterator[tuple[str, str, str]]:
        """Field, person and what there is instead, for every approver of `waiver` whose key did not sign it."""
        of_waiver = [sig for sig in signatures if (sig.check, sig.node, sig.object) == waiver.key]
        for field_name, person in [("by", waiver.by), *(("approved_by", name) for name in waiver.approved_by)]:
            if person not in self.fingerprints:
                continue
            signed = [sig for sig in of_waiver if sig.approver == person]
            content = signed_content(self.site, waiver, person)
            if not any(self.signer_of(content, sig) == self.fingerprints[person] for sig in signed):
                yield field_name, person, "a signature of other words, or of another key" if signed else "no signature"


def approver_keys(acceptance: Acceptance, site: str, signer_of: SignerOf) -> ApproverKeys:
    """The keys that a site declares."""
    keys = {approver.name: approver.key for approver in acceptance.approvers if approver.key}
    return ApproverKeys(site, keys, signer_of)


def signed_content(site: str, waiver: Waiver, person: str) -> bytes:
    """What a person signs: all that the waiver says, on which site, and in whose name; equal waivers give equal bytes."""
    words = waiver.model_dump(exclude={*UNSIGNED})
    content = {"site": site, "approver": person, "waiver": words}
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
