"""The content of a signature: site and run, the basis of the decision, and the accepted nodes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict

from rackwright.model.base import Record
from rackwright.model.gate import Waiver
from rackwright.model.ledger_head import LedgerHead
from rackwright.model.times import IsoTime, parse_time


def _waiver_with_end(waiver: Waiver) -> Waiver:
    _ = waiver.last_day  # raises ValueError
    return waiver


class Basis(Record):
    """Basis of the verdicts, by hash (`rackwright.judge.basis`)."""

    model_config = ConfigDict(extra="allow")

    rackwright: str
    """Version of the program that judged."""
    evidence: dict[str, str]
    """Run of the evidence -> last hash of its chain."""
    site_folder_sha256: str = ""
    """Hash of the folder of the site; empty without one."""
    # Everything else that affects the decision has its hash here as well, by the names of
    # `rackwright.flow.judgement_basis.SUBJECTS`.


class HandoverFacts(Record):
    """The predicate of a signed statement.

    Later versions of rackwright may add facts; the meaning of existing ones never changes.
    """

    model_config = ConfigDict(extra="allow")

    site: str
    run: str
    created: IsoTime
    """ISO time of the decision."""
    rehearsal: bool
    basis: Basis
    verdicts_sha256: str
    gate: str
    accepted: list[str]
    refused: list[str]
    waivers: list[Annotated[Waiver, AfterValidator(_waiver_with_end)]] = []
    calibrations: list[dict[str, Any]] = []
    ledger: LedgerHead | None = None
    """The head of the ledger at the decision; None in older statements."""
    signed_with: str = ""
    """Version of the program that signed."""

    @property
    def created_at(self) -> datetime:
        """`created` as a time."""
        return parse_time(self.created)
