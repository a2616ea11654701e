"""Parses the command line, runs one verb, and turns exceptions into exit codes."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import sys
import tempfile
import traceback
from contextlib import redirect_stdout
from pathlib import Path
from textwrap import fill
from types import ModuleType

from rackwright import __version__
from rackwright.base.errors import ExitCode, OutsideError, RackwrightError
from rackwright.base.garbage import collect_rarely
from rackwright.base.terminal_text import EscapingStream, as_line
from rackwright.cli import output

PHASES = {
    "design": {
        "check": "check a site file: every mistake at once, with its line",
        "environment": "print the site file of an environment that a site declares (stage, dev)",
        "schema": "print the JSON Schema of site.yaml, for editors",
        "design": "expand a site into racks, ports, cables, addresses and circuits, and apply the design rules",
        "draw": "draw racks, floor, fabrics, power and coolant loops of a site as SVG",
        "view": "write one page, without a server, to look into a site from hall to port, and at what a loss takes",
        "cables": "print the cable schedule: labels, bundles, pull order, port maps, label sheets",
        "compare": "show two site files side by side, or where others see the nodes of a site",
        "size": "size a site backwards from the number of accelerators, and print its site file",
        "adopt": "scan running nodes over SSH, read only, and draft the site file that describes them",
        "export": "export a design: NetBox, ibsim, Slurm and Kubernetes topology, switch configurations, answers of installers",
        "compat": "check that driver, CUDA, libraries and hardware work together, are supported and are safe",
        "catalog": "list and show parts, and import device types from NetBox",
    },
    "provision": {
        "discover": "sweep the declared BMC ranges, and say which machine sits where it is declared, and which does not",
        "preflight": "probe what a bring-up needs from here, before anything is touched: BMCs, names, clocks, mirror, hosts",
        "boot-server": "install the declared machines over the network: DHCP, TFTP and HTTP with signed URLs, for them alone",
        "up": "provision the machines of a site with Pulumi (--preview, --refresh, --destroy)",
        "switches": "compare the configurations of switches with what they run, and apply them (--apply)",
        "mirror": "list, build, fetch and check what an air-gapped site installs (plan, build, sync, verify)",
    },
    "onboard": {
        "onboard": "bring the nodes of a site to the declared software with Ansible",
        "inventory": "write the Ansible inventory of a site, to run its roles by hand",
        "sudoers": "print what the account that collects evidence may run as root, for sudo",
    },
    "accept": {
        "collect": "collect evidence from nodes, BMCs and fabric, and store it unparsed",
        "burnin": "run load tests on nodes that take no jobs, one after the other, and store the results",
        "isolate": "plan, simulate, run or evaluate the search for faulty nodes, rails, cables, switches and pairs",
        "tenants": "try the walls between tenants of Kubernetes with pods of each, and store what they saw",
        "judge": "judge stored evidence against the design; repeatable offline",
        "explain": "print what a check claims, measures and means",
        "limits": "list and check the sourced limits, and show where a number comes from (list, lint, show)",
        "gate": "decide which nodes may join, and resume or drain them in the scheduler",
        "serve": "say over HTTP what is held and released, for schedulers and provisioners, and call webhooks on change",
        "token": "create, list and revoke the tokens of those who ask `rackwright serve`",
        "waive": "accept a known defect on one node until a date, with name and reason; list the waivers",
        "repair": "record a repair of a part, by serial; list what must pass again before a node rejoins",
    },
    "handover": {
        "report": "write the handover report (HTML, PDF, JSON, JUnit)",
        "attest": "sign a bundle of site, design, evidence, limits, verdicts and report",
        "keygen": "create a key pair for signing handovers",
        "audit": "prove by its hash chain that the ledger is what was written, and that nothing was cut off",
        "verify": "verify a signed bundle: every byte, the signature, and the judgement again",
    },
    "rehearse": {
        "rehearse": "run the whole bring-up on a digital twin of the site, with injected faults",
        "twin": "bring up the twin of a site and run a command inside it",
    },
    "shell": {
        "completion": "print the completion script of a shell",
    },
}
"""Every verb with its summary, by phase. A phase is a package of `rackwright.cli`, with a module for each of its verbs."""
PHASE_OF = {verb: phase for phase, verbs in PHASES.items() for verb in verbs}
HEADINGS = {"handover": "hand over"}
"""Headings of ``--help`` where they are not the name of the package."""
HELP_INDENT = 14

DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""Errors of a disk that cannot be written to: not bugs of rackwright."""


def main(argv: list[str] | None = None) -> int:
    """Entry point of the console script; returns the exit code."""
    args = sys.argv[1:] if argv is None else argv
    as_json = "json" in args or "--format=json" in args
    try:
        with redirect_stdout(EscapingStream(sys.stdout)):
            return _run(args)
    except RackwrightError as error:
        output.error(error, as_json=as_json)
        return error.exit_code
    except KeyboardInterrupt:
        print("rackwright: interrupted; what was done so far is kept", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.PASS
    except OSError as error:
        if error.errno not in DISK_ERRORS:
            return _report_bug()
        sentence = f"{error.strerror} ({error.filename or 'a file'}): make room, then run again"
        output.error(OutsideError(sentence), as_json=as_json)
        return ExitCode.PROBLEMS
    except Exception:  # noqa: BLE001 - the only place where a bug becomes exit code 3
        return _report_bug()


def load_verb(verb: str) -> ModuleType:
    """The module of a verb, with `add_arguments` and `run`. KeyError for an unknown verb."""
    return importlib.import_module(f"rackwright.cli.{PHASE_OF[verb]}.{verb.replace('-', '_')}")


def _run(args: list[str]) -> int:
    parser = _top_parser()
    if not args or args[0] not in PHASE_OF:
        parser.parse_args(args or ["--help"])  # prints help, version or a usage error, and exits
    # Provisioning loads gRPC into this process, and onboarding forks from it: gRPC's fork handlers break the children.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    collect_rarely()
    verb = args[0]
    module = load_verb(verb)
    verb_parser = argparse.ArgumentParser(prog=f"rackwright {verb}", description=PHASES[PHASE_OF[verb]][verb])
    module.add_arguments(verb_parser)
    return int(module.run(verb_parser.parse_args(args[1:])))


def _top_parser() -> argparse.ArgumentParser:
    exit_codes = "Exit codes: 0 pass, 1 problems found or gate closed, 2 wrong usage, 3 a bug of rackwright."
    parser = argparse.ArgumentParser(
        prog="rackwright",
        usage="rackwright [-h] [--version] VERB ...",
        description="Infrastructure as code for GPU clusters, from the rack to the signed handover.",
        epilog="\n\n".join([*map(_verb_group, PHASES), exit_codes]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rackwright {__version__}")
    parser.add_argument("verb", metavar="VERB", choices=PHASE_OF, help=argparse.SUPPRESS)
    return parser


def _verb_group(phase: str) -> str:
    """The verbs of a phase with their summaries, in lines of at most 100 columns."""
    indent = " " * HELP_INDENT
    lines = [
        fill(f"  {verb:<{HELP_INDENT - 2}}{says}", 100, subsequent_indent=indent)
        for verb, says in PHASES[phase].items()
    ]
    return "\n".join([f"{HEADINGS.get(phase, phase)}:", *lines])


def _report_bug() -> int:
    with tempfile.NamedTemporaryFile("w", prefix="rackwright-bug-", suffix=".log", delete=False) as log:
        log.write(f"rackwright {__version__}, Python {sys.version}\n{' '.join(sys.argv)}\n\n{traceback.format_exc()}")
    last = traceback.format_exc().strip().splitlines()[-1]
    print(
        f"rackwright: this is a bug of rackwright: {as_line(last)}\n    the details are in {Path(log.name)}",
        file=sys.stderr,
    )
    return ExitCode.BUG
