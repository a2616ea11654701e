"""The libraries of the driver are complete and have its version."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.container import DriverLibraries, Library
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: DriverLibraries) -> Finding:
    """Check size and version of every file, and the files that every program needs."""
    row = compare.limit(expectation, "software.libraries")
    if row is None:
        return compare.no_limit(expectation, "software.libraries")
    driver = expectation.software.driver
    missing = [
        name for name in compare.words(row) if not any(f"/{name}." in library.path for library in record.libraries)
    ]
    readings = {library.path: state(library, driver) for library in record.libraries}
    wrong = {path: text for path, text in readings.items() if text != "whole"} | dict.fromkeys(missing, "not there")
    return compare.every(
        expectation,
        wrong or {"libraries": f"{len(readings)} whole, {driver}"},
        lambda _: not wrong,
        what="libraries of the driver:",
        expected=f"whole and {driver}, {', '.join(compare.words(row))} among them",
        source=f"site software.driver; {compare.limit_source(row)}",
    )


def state(library: Library, driver: str) -> str:
    """Defect of a file in words."""
    if not library.bytes:
        return "empty"
    version = library.path.split(".so.")[-1]
    # Libraries with an interface version of their own (libnvidia-nscq.so.2.0) do not show the driver's version, whose
    # branches are longer numbers.
    return (
        f"{version} instead of {driver}"
        if version != driver and len(version.split(".")[0]) == len(driver.split(".")[0])
        else "whole"
    )


def applies(expectation: Expectation) -> bool:
    """Nodes with NVIDIA's driver, whose libraries carry its version in their names."""
    return compare.has_accelerators(expectation) and bool(expectation.software.driver)


CHECK = Check(reads=DriverLibraries, judge=judge, applies=applies)
