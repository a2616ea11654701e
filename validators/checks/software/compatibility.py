"""Driver, CUDA and NCCL as installed run together on this architecture, are still supported, and are safe."""

from collections.abc import Iterator

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Packages
from rackwright.model.verdict import Finding, Outcome

Answer = tuple[Outcome, str]


def judge(expectation: Expectation, seen: Packages) -> Finding:
    """Answer three questions (runs, supported, safe) from the compatibility rows; the worst answer decides.

    Without a toolkit on the node, the CUDA that counts is the declared one: programs bring it in their containers.
    """
    found = {component: versions(expectation, seen, component) for component in ("driver", "nccl")}
    answers = [(Outcome.INCONCLUSIVE, f"{name} is not among the packages read") for name in found if not found[name]]
    if not answers:
        driver, nccl = compare.upstream(found["driver"][0]), found["nccl"][0]
        for cuda in versions(expectation, seen, "cuda") or [expectation.software.cuda]:
            answers += runs(expectation, driver, compare.upstream(cuda), nccl)
        answers += supported_and_safe(expectation, seen, driver)
    outcome = compare.worst([answer for answer, _ in answers])
    bill = [f"{name} {'/'.join(packages)}" for name, packages in found.items()]
    decisive = bill if outcome == Outcome.PASS else [text for answer, text in answers if answer == outcome]
    return compare.finding(
        expectation,
        outcome,
        what="software bill:",
        observed="; ".join(decisive),
        expected="a bill that runs, is supported and is safe",
        source="limits compat.*, each row with its source and date",
    )


def versions(expectation: Expectation, seen: Packages, component: str) -> list[str]:
    """Versions of the packages of a component, oldest first."""
    packages = compare.installed(expectation, seen, component) or {}
    return sorted((package.version for package in packages.values()), key=compare.version)


def runs(expectation: Expectation, driver: str, cuda: str, nccl: str) -> Iterator[Answer]:
    """Driver x CUDA (minor-version compatibility), CUDA and driver x architecture, NCCL x CUDA major."""
    major = cuda.split(".")[0]
    part = f"{compare.accelerator(expectation).architecture} architecture"
    yield bound(expectation, "compat.driver_least", f"driver {driver} for CUDA {cuda}", driver, cuda_major=major)
    yield bound(expectation, "compat.cuda_first", f"CUDA {cuda} for the {part}", cuda)
    yield bound(expectation, "compat.cuda_last", f"CUDA {cuda} for the {part}", cuda, most=True)
    yield bound(expectation, "compat.driver_last", f"driver {driver} for the {part}", driver, most=True)
    built = nccl.rpartition("+cuda")[-1].split(".")[0]
    text = f"NCCL {nccl} with CUDA {cuda}"
    yield (Outcome.PASS, text) if built == major else (Outcome.FAIL, f"{text}: not built for CUDA {major}")


def supported_and_safe(expectation: Expectation, seen: Packages, driver: str) -> Iterator[Answer]:
    """End of life of the driver branch on the day of the evidence; security floors of driver and packages."""
    branch = driver.split(".")[0]
    end = compare.limit(expectation, "compat.driver_end_of_life", branch=branch)
    if end is None or not expectation.as_of:
        yield Outcome.INCONCLUSIVE, f"end of life of driver branch {branch}: no row, or the evidence has no date"
    else:
        over = expectation.as_of > str(end.value)
        yield (Outcome.DEGRADED if over else Outcome.PASS), f"driver branch {branch} is supported until {end.value}"
    yield bound(expectation, "compat.driver_floor", f"safety of driver {driver}", driver, branch=branch)
    for component in ("dcgm", "container_toolkit"):
        for found in versions(expectation, seen, component):
            version = compare.upstream(found)
            yield bound(expectation, "compat.floor", f"safety of {component} {version}", version, component=component)


def bound(expectation: Expectation, metric: str, text: str, found: str, *, most: bool = False, **key: str) -> Answer:
    """Compare a version with a row: at least it, or (`most`) not beyond it, as far as the row spells it out."""
    row = compare.limit(expectation, metric, **key)
    if row is None:
        return Outcome.INCONCLUSIVE, f"{text}: no row {metric} for {key or 'this architecture'}"
    if row.value == "ongoing":
        return Outcome.PASS, text
    wanted, seen = compare.version(str(row.value)), compare.version(found)
    good = seen[: len(wanted)] <= wanted if most else seen >= wanted
    return (Outcome.PASS if good else Outcome.FAIL), f"{text}: {'at most' if most else 'at least'} {row.value}"


CHECK = Check(title="Software runs together", reads=Packages, judge=judge, applies=compare.has_accelerators)
