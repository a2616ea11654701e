"""The kernel was started with the arguments that the platform needs."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.tuning import Tuning
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Tuning) -> Finding:
    """Look for every argument of the limits and of the site's options, except those that the site leaves out."""
    row = compare.limit(expectation, "host.cmdline")
    if row is None:
        return compare.no_limit(expectation, "host.cmdline")
    options = expectation.software.options
    added = [str(argument) for argument in options.get("boot_cmdline_extra", [])]
    without = {str(argument) for argument in options.get("boot_cmdline_without", [])} | {
        argument.split("=")[0] for argument in added
    }
    required = [argument for argument in compare.words(row) if argument.split("=")[0] not in without] + added
    arguments = None if record.command_line is None else record.command_line.split()
    return compare.every(
        expectation,
        {
            argument: None if arguments is None else ("given" if argument in arguments else "missing")
            for argument in required
        },
        lambda state: state == "given",
        what="kernel arguments:",
        expected=", ".join(required),
        source=f"{compare.limit_source(row)}; site software.options.boot_cmdline_extra and boot_cmdline_without",
    )


CHECK = Check(reads=Tuning, judge=judge, applies=compare.has_accelerators)
