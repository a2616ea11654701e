"""The kernel was started with the arguments that the platform needs."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.tuning import Tuning
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Tuning) -> Finding:
    """Look for every argument of the limits and of the site's own options; what the site leaves out is not asked for."""
    row = compare.limit(expectation, "host.cmdline")
    if row is None:
        return compare.no_limit(expectation, "host.cmdline")
    options = expectation.software.options
    own = [str(one) for one in options.get("boot_cmdline_extra", [])]
    without = {str(one) for one in options.get("boot_cmdline_without", [])} | {one.split("=")[0] for one in own}
    wanted = [one for one in compare.words(row) if one.split("=")[0] not in without] + own
    given = None if seen.command_line is None else seen.command_line.split()
    return compare.every(
        expectation,
        {one: None if given is None else ("given" if one in given else "missing") for one in wanted},
        lambda found: found == "given",
        what="kernel arguments:",
        expected=", ".join(wanted),
        source=f"{compare.limit_source(row)}; site software.options.boot_cmdline_extra and boot_cmdline_without",
    )


CHECK = Check(reads=Tuning, judge=judge, applies=compare.has_accelerators)
