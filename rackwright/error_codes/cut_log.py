"""A kernel log that was cut, or that holds lines nobody can read: the absence of an error in it proves nothing."""

from __future__ import annotations

from rackwright.model.check import Expectation
from rackwright.model.evidence.kernel_log import KernelLog
from rackwright.model.verdict import Finding, Outcome

SHOWN_CHARACTERS = 120
"""Of a line of the log in a finding."""


def inconclusive_if_cut(expectation: Expectation, log: KernelLog, finding: Finding, subject: str = "") -> Finding:
    """`finding`, but inconclusive instead of a pass when the absence of an error proves nothing: the log is cut, or a line about `subject`
    (``xid``, ``sxid``, ``aer``) cannot be read.
    """
    if finding.outcome != Outcome.PASS:
        return finding
    unreadable = [line for line in log.unreadable if line.subject == subject]
    if unreadable:
        observed = f"line {unreadable[0].number} of the log cannot be read: {unreadable[0].text[:SHOWN_CHARACTERS]}"
        says = f"{expectation.node.name}: {observed}, so that an error may be hidden in it"
    elif not log.begins:
        observed = "a log without its beginning"
        says = f"{expectation.node.name}: the kernel log does not reach back to the start, so that nothing in it shows nothing"
    else:
        return finding
    return finding.model_copy(update={"outcome": Outcome.INCONCLUSIVE, "observed": observed, "says": says})
