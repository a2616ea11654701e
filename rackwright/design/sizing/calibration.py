"""The calibration that a sized site declares where nobody has published every limit of its server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.design.sizing.fit import Sized
from rackwright.model.calibration import Calibration

WRITTEN = {"server", "nodes", "runs", "signed_by"}
"""Terms that the file spells out; the others have their usual values."""


def with_calibration(sized: Sized, terms: Calibration, checks: Sequence[str]) -> Sized:
    """`sized` with `terms` in its file and its design, and a note on the checks that have no published limit."""
    site = sized.design.site
    acceptance = site.acceptance.model_copy(update={"calibrations": [*site.acceptance.calibrations, terms]})
    design = replace(sized.design, site=site.model_copy(update={"acceptance": acceptance}))
    entry = terms.model_dump(mode="json", include=WRITTEN)
    data = {**sized.data, "acceptance": {**sized.data["acceptance"], "calibrations": [entry]}}
    note = (
        f"Nobody has published limits of {terms.server} for {', '.join(checks)}: {terms.nodes} of its nodes make them in {terms.runs} runs "
        "(acceptance.calibrations), before any is accepted. A rehearsal makes some of its own, which hold in that rehearsal alone."
    )
    return replace(sized, data=data, design=design, notes=[*sized.notes, note])
