"""The fabric manager of the node has logged no error."""

from rackwright import compare
from rackwright.error_codes import manager_lines
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.manager_log import ManagerLog
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: ManagerLog) -> Finding:
    """Grade every line by its row of the catalogue."""
    return manager_lines.judge_log(expectation, record)


def applies(expectation: Expectation) -> bool:
    """Servers that manage their NVSwitches themselves."""
    return compare.has_accelerators(expectation) and expectation.node.server.fabric_manager


CHECK = Check(reads=ManagerLog, judge=judge, applies=applies)
