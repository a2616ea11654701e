"""No CPU of the node is switched off."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.cpu import Cpu
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Cpu) -> Finding:
    """Look for CPUs that the kernel knows and does not run; their number is that of sockets, cores and threads."""
    known = seen.sockets * seen.cores_per_socket * seen.threads_per_core
    readings = {
        "switched off": f"CPU {seen.offline}" if seen.offline else "none",
        "missing": "none" if seen.cpus >= known else f"{known - seen.cpus} of {known}",
    }
    return compare.every(
        expectation,
        readings if seen.online else {"running": None},
        lambda found: found == "none",
        what="CPUs",
        expected=f"all {known} running",
        source="the processors' own topology",
    )


CHECK = Check(reads=Cpu, judge=judge, applies=compare.is_onboarded)
