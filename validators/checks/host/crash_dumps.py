"""No kernel of this node has crashed and left a dump behind."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.tuning import Tuning
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Tuning) -> Finding:
    """Name every record in the persistent store of the firmware."""
    return compare.every(
        expectation,
        dict.fromkeys(record.crash_dumps, "a dump") or {"dumps": "none"},
        lambda state: state == "none",
        what="crashed kernels:",
        expected="none",
        source="Linux, Documentation/admin-guide/pstore-blk.rst",
    )


CHECK = Check(reads=Tuning, judge=judge, applies=compare.has_accelerators)
