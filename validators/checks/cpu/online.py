"""No CPU of the node is offline or missing."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.cpu import Cpu
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Cpu) -> Finding:
    """Name offline CPUs, and compare the count with sockets, cores and threads."""
    planned = record.sockets * record.cores_per_socket * record.threads_per_core
    readings = {
        "switched off": f"CPU {record.offline}" if record.offline else "none",
        "missing": "none" if record.cpus >= planned else f"{planned - record.cpus} of {planned}",
    }
    return compare.every(
        expectation,
        readings if record.online else {"running": None},
        lambda state: state == "none",
        what="CPUs",
        expected=f"all {planned} running",
        source="the processors' own topology",
    )


CHECK = Check(reads=Cpu, judge=judge, applies=compare.is_onboarded)
