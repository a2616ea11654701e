"""The driver's last advice for every accelerator is that no action is needed (Xid 154)."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.error_codes import cut_log, xid
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.kernel_log import KernelLog
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: KernelLog) -> Finding:
    """Read the last Xid 154 of each accelerator: its text, not its code, states the requested action."""
    last = {
        error.bus_id: xid.requested_action(error.text) for error in record.xids if xid.is_advice(expectation, error)
    }
    readings = {f"accelerator {bus_id}": None if advice is None else advice for bus_id, advice in last.items()}
    open_ones = {place: words for place, advice in readings.items() if advice for needed, words in [advice] if needed}
    unread = [place for place, advice in readings.items() if advice is None]
    outcome = Outcome.FAIL if open_ones else Outcome.INCONCLUSIVE if unread else Outcome.PASS
    observed = "; ".join(f"{place}: {words}" for place, words in open_ones.items())
    finding = compare.finding(
        expectation,
        outcome,
        what="recovery advised by the driver:",
        observed=observed or (f"unreadable for {', '.join(unread)}" if unread else "none"),
        expected="none",
        source=xid.load_catalogues().sources["xid"],
    )
    return cut_log.inconclusive_if_cut(expectation, record, finding, "xid")


CHECK = Check(reads=KernelLog, judge=judge, applies=has_capability("numbered_faults"))
