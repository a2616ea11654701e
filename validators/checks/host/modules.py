"""The modules that the accelerators need are loaded, and no conflicting module is."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Host
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Host) -> Finding:
    """Look for every module of the limits among the loaded ones."""
    needed = compare.limit(expectation, "host.modules")
    unwanted = compare.limit(expectation, "host.modules_unwanted")
    if needed is None or unwanted is None:
        return compare.no_limit(expectation, "host.modules and host.modules_unwanted")
    absent = set(compare.words(unwanted))
    names = [*compare.words(needed), *sorted(absent)]
    readings = {name: "loaded" if name in record.modules else "not loaded" for name in names}
    wrong = {name: state for name, state in readings.items() if (state == "loaded") == (name in absent)}
    return compare.every(
        expectation,
        wrong or ({"modules": "as needed"} if record.modules else {}),
        lambda state: state == "as needed",
        what="kernel modules:",
        expected=f"{', '.join(compare.words(needed))} loaded, {', '.join(sorted(absent))} not",
        source=f"{compare.limit_source(needed)}; {compare.limit_source(unwanted)}",
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators' maker has known modules."""
    return compare.limit(expectation, "host.modules") is not None


CHECK = Check(reads=Host, judge=judge, applies=applies)
