"""Parses the command line, runs one verb, and turns what it raises into an exit code. Nothing else."""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import sys
import tempfile
import traceback
from pathlib import Path

from rackwright import __version__
from rackwright.base.errors import ExitCode, OutsideError, RackwrightError
from rackwright.cli import output

VERBS = {
    "check": "check a site file: every mistake at once, with its line",
    "design": "expand a site into racks, ports, cables, addresses and circuits, and apply the design rules",
    "draw": "draw racks, floor, fabrics, power and coolant loops of a site as SVG",
    "cables": "print the cable schedule: labels, bundles, pull order, port maps, label sheets",
    "compare": "show two site files side by side: counts, power, cost, availability",
    "size": "size a site backwards from the number of accelerators, and print its site file",
    "export": "export a design to NetBox, ibsim, ibnetdiscover, Slurm or Kubernetes topology",
    "compat": "say whether driver, CUDA, libraries and hardware go together, are supported and are safe",
    "catalog": "list and show parts, and import device types from NetBox",
    "up": "provision the machines of a site with Pulumi (--preview, --refresh, --destroy)",
    "onboard": "bring the nodes of a site to the declared software with Ansible",
    "mirror": "list, fetch and check what an air-gapped site installs (plan, sync, verify)",
    "inventory": "write the Ansible inventory of a site, to play its roles by hand",
    "collect": "take evidence from nodes, BMCs and fabric, and store it before it is read",
    "burnin": "put nodes that take no jobs under load, test after test, and store what they tell",
    "judge": "judge stored evidence against the design; repeatable offline",
    "limits": "list and check the sourced limits, and show where a number comes from (list, lint, show)",
    "isolate": "plan, play or decide the search for faulty nodes, rails, cables, switches and pairs",
    "gate": "decide which nodes may join, and resume or drain them in the scheduler",
    "waive": "accept a known defect on one node until a day, with name and reason; list what is waived",
    "repair": "write down what was done to a part, by serial; list what must pass again before a node rejoins",
    "report": "write the handover report (HTML, PDF, JSON, JUnit)",
    "attest": "sign a bundle of site, design, evidence, limits, verdicts and report",
    "keygen": "make a key pair for signing handovers",
    "verify": "check a signed bundle: every byte, the signature, and the judgement again",
    "rehearse": "run the whole bring-up on a digital twin of the site, faults included",
    "twin": "bring up the twin of a site and run a command inside it",
    "explain": "print what a check claims, measures and means",
    "schema": "print the JSON Schema of site.yaml, for editors",
}

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""What the disk says when nothing can be written; no bug of ours."""


def main(argv: list[str] | None = None) -> int:
    """Entry point of the console script; returns the exit code."""
    args = sys.argv[1:] if argv is None else argv
    as_json = "json" in args or "--format=json" in args
    try:
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
        if error.errno not in NO_ROOM:
            return _bug()
        sentence = f"{error.strerror} ({error.filename or 'a file'}): make room, then run again"
        output.error(OutsideError(sentence), as_json=as_json)
        return ExitCode.PROBLEMS
    except Exception:  # noqa: BLE001 - the one place where a bug of ours becomes exit code 3
        return _bug()


def _run(args: list[str]) -> int:
    parser = _top_parser()
    if not args or args[0] not in VERBS:
        parser.parse_args(args or ["--help"])  # prints help, version or a usage error, and exits
    # Provisioning loads gRPC into this process, and onboarding forks from it: gRPC's own fork handlers break the children.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    verb = args[0]
    module = importlib.import_module(f"rackwright.cli.{verb}")
    verb_parser = argparse.ArgumentParser(prog=f"rackwright {verb}", description=VERBS[verb])
    module.add_arguments(verb_parser)
    return int(module.run(verb_parser.parse_args(args[1:])))


def _top_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rackwright",
        description="Infrastructure as code for GPU clusters, from the rack to the signed handover.",
        epilog="Exit codes: 0 pass, 1 problems found or gate closed, 2 wrong usage, 3 a bug of ours.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rackwright {__version__}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for verb, summary in VERBS.items():
        verbs.add_parser(verb, help=summary, add_help=False)
    return parser


def _bug() -> int:
    with tempfile.NamedTemporaryFile("w", prefix="rackwright-bug-", suffix=".log", delete=False) as log:
        log.write(f"rackwright {__version__}, Python {sys.version}\n{' '.join(sys.argv)}\n\n{traceback.format_exc()}")
    last = traceback.format_exc().strip().splitlines()[-1]
    print(f"rackwright: this is a bug of ours: {last}\n    the whole story is in {Path(log.name)}", file=sys.stderr)
    return ExitCode.BUG
