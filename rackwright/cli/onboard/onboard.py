"""``rackwright onboard SITE``: brings the nodes of a site to the declared software, and prints the result of each."""

from __future__ import annotations

import argparse
import shlex
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright import spec
from rackwright.base.content import Roots
from rackwright.base.errors import ExitCode, UsageError
from rackwright.base.name_list import listed_names
from rackwright.cli import output, site, site_job
from rackwright.cli.onboard import onboard_text, pull_listening

if TYPE_CHECKING:
    from rackwright.onboard import OnboardOptions, Tolerance

HIGHEST_PERCENT = 100
SCRATCH_ROLE = "local_nvme"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the nodes, what to run, in which waves, and what is allowed on nodes in service."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    parser.add_argument("--check", action="store_true", help="print what would change, and change nothing")
    parser.add_argument("--diff", action="store_true", help="show what changes in each file")
    parser.add_argument("--verify", action="store_true", help="only check whether the nodes are as declared")
    parser.add_argument("--roles", metavar="NAMES", help="only these roles, separated by commas")
    _add_waves(parser.add_argument_group("waves"))
    _add_disturbance(parser.add_argument_group("nodes that serve"))
    output.add_format(parser)


def _add_waves(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--mode", choices=("push", "worker", "pull"), default="push",
        help="push: Ansible runs here; worker: every node runs its own play, sent over SSH; pull: every node fetches it (default push)",
    )  # fmt: skip
    group.add_argument("--listen", metavar="ADDRESS:PORT", help="pull: where nodes reach this machine for their orders")
    group.add_argument("--enrol", action="store_true", help="pull: first make the nodes ask here, over SSH")
    group.add_argument("--wave-size", metavar="N|all", help="nodes per wave (default 64)")
    group.add_argument(
        "--canary", action=argparse.BooleanOptionalAction,
        help="first one node of every pool and server, alone (default: when there are more than 32 nodes)",
    )  # fmt: skip
    group.add_argument(
        "--max-failed", metavar="N|P%", help="stop when more hosts of a wave fail (default 10%%, at least one)"
    )
    group.add_argument(
        "--retries", metavar="N", default="1", help="how often failed hosts are retried, alone (default 1)"
    )


def _add_disturbance(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--reboot", action="store_true", help="reboot nodes that need it once, after a drain")
    group.add_argument("--reboot-wait", metavar="SECONDS", help="how long a node may take to come back (default 1800)")
    group.add_argument(
        "--wipe-scratch", action="store_true",
        help="empty the local scratch of the nodes named by --nodes, after a drain; what is on it is lost",
    )  # fmt: skip
    group.add_argument(
        "--drain-wait", metavar="SECONDS", default="0",
        help="drain nodes with running jobs and wait this long for the jobs (default 0: leave such nodes alone)",
    )  # fmt: skip
    group.add_argument(
        "--drain-hook", metavar="CMD",
        help="command that takes a node of a scheduler other than Slurm out of service; the node name is appended",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Load, expand, run, print; 1 if a host is not as declared: it failed, was busy, or needs a reboot."""
    from rackwright.flow import pipeline  # ansible-runner takes time that a wrong call need not wait
    from rackwright.flow.site_content import refuse_expired

    options = _options(args)
    refuse_expired(spec.site_roots(Path(args.site)), datetime.now(UTC).date())
    differences: list[tuple[str, list[str]]] = []
    keep = (lambda title, lines: differences.append((title, lines))) if args.diff else None
    words = {
        "check": args.check,
        "verify": args.verify,
        "roles": args.roles or "",
        "mode": args.mode,
        "reboot": args.reboot,
    }
    with site_job.job(args, "onboard", **words) as job:
        recap = pipeline.bring_to_bill(job, options, diff=keep)
    if args.format == "json":
        output.emit(onboard_text.as_dict(recap))
    else:
        onboard_text.show(recap, differences)
    return ExitCode.PASS if recap.good else ExitCode.PROBLEMS


def _options(args: argparse.Namespace) -> OnboardOptions:
    """The arguments as `OnboardOptions`. Raises UsageError if they contradict each other."""
    from rackwright.onboard import OnboardOptions
    from rackwright.onboard.options import VERIFY
    from rackwright.onboard.waves import DEFAULT_SIZE

    if args.verify and (args.check or args.reboot):
        raise UsageError("--verify only checks the nodes: leave --check and --reboot out")
    if args.wipe_scratch:
        _refuse_wipe(args)
    listening = pull_listening.listening(args.mode, args.listen, enrol=args.enrol)
    sizes = {None: DEFAULT_SIZE, "all": None}
    return OnboardOptions(
        check=args.check,
        diff=args.diff,
        mode=args.mode,
        listening=listening,
        enrol=args.enrol,
        wave_size=sizes[args.wave_size] if args.wave_size in sizes else _number("--wave-size", args.wave_size, least=1),
        canary=args.canary,
        tolerance=_tolerance(args.max_failed),
        retries=_number("--retries", args.retries),
        roles=_roles(args.roles, spec.site_roots(Path(args.site))),
        parts=VERIFY if args.verify else (),
        reboot=args.reboot,
        reboot_wait_seconds=_number("--reboot-wait", args.reboot_wait, least=1) if args.reboot_wait else None,
        drain_wait_seconds=float(_number("--drain-wait", args.drain_wait)),
        wipe_scratch=args.wipe_scratch,
        drain_hook=_command("--drain-hook", args.drain_hook),
    )


def _refuse_wipe(args: argparse.Namespace) -> None:
    """Refuse ``--wipe-scratch`` unless the nodes are named one by one, because the data is lost forever. UsageError also if nothing would be wiped."""
    if not args.nodes or args.nodes.isdecimal():
        raise UsageError("--wipe-scratch: name the nodes whose scratch is to be lost with --nodes")
    if args.verify:
        raise UsageError("--verify only checks the nodes: leave --wipe-scratch out")
    if args.roles is not None and SCRATCH_ROLE not in listed_names(args.roles):
        raise UsageError(f"--wipe-scratch: role {SCRATCH_ROLE} does it, and --roles leaves it out")


def _tolerance(text: str | None) -> Tolerance:
    from rackwright.onboard import Tolerance

    if text is None:
        return Tolerance()
    if not text.endswith("%"):
        return Tolerance(hosts=_number("--max-failed", text))
    percent = _number("--max-failed", text.removesuffix("%"))
    if percent > HIGHEST_PERCENT:
        raise UsageError(f"--max-failed {text}: give 0% to 100%, or a number of hosts")
    return Tolerance(percent=percent) if percent else Tolerance(hosts=0)


def _command(option: str, text: str | None) -> tuple[str, ...]:
    """The words of a command. UsageError unless it exists on this machine: a typing error must not wait until the first drain."""
    try:
        words = tuple(shlex.split(text or ""))
    except ValueError as error:
        raise UsageError(f"{option} {text}: {error}") from None
    if text is not None and (not words or shutil.which(words[0]) is None):
        raise UsageError(
            f"{option} {text!r}: there is no such command here; give the path of a program that may be executed"
        )
    return words


def _number(option: str, text: str, *, least: int = 0) -> int:
    if not text.isdecimal() or len(text) > site.MOST_DIGITS or int(text) < least:
        raise UsageError(f"{option} {text}: give a whole number, {least} or more")
    return int(text)


def _roles(text: str | None, roots: Roots) -> tuple[str, ...]:
    from rackwright.onboard import roles
    from rackwright.spec.fields import nearest_word

    if text is None:
        return ()
    names = listed_names(text)
    role_names = [role.name for role in roles.ordered_roles(roots)]
    for name in names:
        if name not in role_names:
            guess = nearest_word(name, role_names)
            hint = f"did you mean {guess}?" if guess else f"roles are {', '.join(role_names)}"
            raise UsageError(f"--roles {text}: there is no role {name}; {hint}")
    if not names:
        raise UsageError(f"--roles {text!r} names no role; leave the option out for all of them")
    return names
