"""Approvers with keys: a waiver in the name of one counts only with a signature of that key over the whole waiver.

The function that checks a signature is passed in; the gate defines the signed content, and who must sign it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rackwright.model.gate import Waiver, WaiverSignature
from rackwright.model.site import Acceptance

UNSIGNED = ("approved_by",)
"""Fields that are added to after the first signature."""
SignerOf = Callable[[bytes, WaiverSignature], str]
"""Returns the fingerprint of the key that signed the content; empty if the signature is invalid."""


def signer_of_nobody(_content: bytes, _signature: WaiverSignature) -> str:
    """Reject every signature."""
    return ""


@dataclass(frozen=True)
class ApproverKeys:
    """The keys that must sign the waivers of a site."""

    site: str = ""
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    """Name of an approver with a key -> fingerprint of the key."""
    signer_of: SignerOf = signer_of_nobody

    def missing(self, waiver: Waiver, signatures: Iterable[WaiverSignature]) -> Iterator[tuple[str, str, str]]:
        """Field, person and what is present instead, for every approver of `waiver` whose key did not sign it."""
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
    """The bytes that a person signs: the whole waiver, the site, and the name of the person; equal waivers give equal
    bytes.
    """
    words = waiver.model_dump(exclude={*UNSIGNED})
    content = {"site": site, "approver": person, "waiver": words}
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
