"""What checks of a BMC share: documents that were not read, and what a BMC does not report at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from rackwright.compare.readings import Subject, Text, finding
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence, LogEntry
from rackwright.model.lazy_finding import worded
from rackwright.model.verdict import Finding, Outcome

DATED = re.compile(r"[12][0-9]{3}-[01][0-9]-[0-3][0-9]")


def resting_on(
    check: Check[BmcEvidence],
    *parts: str,
    offers: Callable[[BmcEvidence], bool] | None = None,
    what: str = "",
    expected: str = "",
) -> Check[BmcEvidence]:
    """`check` that is inconclusive where documents of `parts` were not read, and advice where the BMC does not report (`offers`) what it is about."""

    def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
        silent = offers is not None and not offers(record) and not unread(record, *parts)
        if silent:
            return not_reported(expectation, what=what, expected=expected)
        return complete(check.judge(expectation, record), record, *parts)

    return replace(check, judge=judge)


def unread(record: BmcEvidence, *parts: str) -> str:
    """The documents of `parts` that were not read, in words; empty where all were."""
    return "; ".join(dict.fromkeys(record.unread[part] for part in parts if part in record.unread))


def complete(judged: Finding, record: BmcEvidence, *parts: str, counted: bool = False) -> Finding:
    """`judged`, or inconclusive where documents of `parts` were not read: a bad reading among the others stands, unless it is a count of them."""
    lost = unread(record, *parts)
    if not lost or (judged.outcome == Outcome.FAIL and not counted):
        return judged
    full = worded(judged)
    words = {"observed": f"{full.observed}; not read: {lost}", "says": f"{full.says}; not read: {lost}"}
    return full.model_copy(update={**words, "outcome": Outcome.INCONCLUSIVE, "advisory": False})


def not_reported(expectation: Subject, *, what: Text, expected: Text) -> Finding:
    """Advice: the BMC has no such property, which DSP0268 leaves to its maker. It is shown, and refuses nobody."""
    return finding(
        expectation,
        Outcome.DEGRADED,
        what=what,
        observed="is not reported by this BMC",
        expected=expected,
        source="DMTF DSP0268: the property is optional",
        advisory=True,
    )


def is_history(entry: LogEntry, since: str) -> bool:
    """Whether an entry was logged before the ISO day `since`; one without a date that can be read was not."""
    return bool(since) and DATED.match(entry.created) is not None and entry.created[: len(since)] < since
