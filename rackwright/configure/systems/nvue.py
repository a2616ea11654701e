"""NVUE of Cumulus Linux 5 and of NVOS: a revision is staged, applied with a timer, and confirmed by its number.

Sources, all of them read: CumulusNetworks/docs, Cumulus Linux 5, NVUE Object Model, "Config Commands" (`nv config apply --confirm`, `detach`,
`patch`, `save`, `show`); NVIDIA NVOS User Manual for InfiniBand Switches 25.02.5030, "Configuration Management Commands" (the same) and
25.02.3000, "Chassis Information and Inventory Commands" (names of `nv show platform`); driver of Cumulus Linux for NAPALM (state ``confirm``
in `nv config revision`, `--confirm 300s`, `--confirm-yes` by number).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from rackwright.base import foreign, yaml_text
from rackwright.base.errors import OutsideError
from rackwright.configure import settings_tree
from rackwright.configure.driver import SwitchChange, SwitchCommand
from rackwright.configure.required_switch import SwitchIdentity
from rackwright.configure.session import SwitchSession
from rackwright.configure.settings_tree import Place

RUNNING, COMMANDS = "running.yaml", "commands.sh"
UNDECLARED: tuple[Place, ...] = (
    ("system", "aaa"), ("system", "ssh-server"), ("system", "security"), ("system", "config"), ("system", "api"),
    ("system", "snmp-server"), ("service", "snmp-server"), ("system", "message"), ("system", "control-plane"), ("acl",),
)  # fmt: skip
"""Accounts, keys and management, which no design declares: NVUE shows their secrets as stars, so that they could not be written again."""
LISTS = frozenset({"address", "gateway", "server"})
"""Names that are followed by an entry of a list in `nv set`, and not by a value."""
SPAN = re.compile(r"(?P<stem>.*?)(?P<first>\d+)-(?P<last>\d+)")
"""NVUE writes ports with the same settings as ``swp1-4``."""
SPANS_UNDER = frozenset({"interface", "neighbor", "vlan"})
MOST_OF_A_SPAN = 4096
STAGED_FILE = "/tmp/rackwright.yaml"  # noqa: S108 - on the switch, written and read by the same account
CONFIRM = "confirm"
STARTUP = "startup.yaml"


class NvueDriver:
    """Cumulus Linux and NVOS (`driver.SwitchDriver`)."""

    def identity(self, session: SwitchSession) -> SwitchIdentity:
        """By `nv show platform` and `hostname`."""
        platform = _document(session.run("nv show platform -o json"), "nv show platform")
        models = tuple(str(platform[name]) for name in ("product-name", "part-number") if platform.get(name))
        return SwitchIdentity(session.run("hostname").strip(), models, str(platform.get("serial-number", "")))

    def running(self, session: SwitchSession) -> dict[str, str]:
        """The applied revision."""
        return {RUNNING: session.run("nv config show -r applied -o yaml")}

    def declarable(self, running: Mapping[str, str]) -> dict[str, str]:
        """One file, each port by its own name."""
        tree = _expanded(_settings(running[RUNNING]))
        places = [place for place in settings_tree.leaves(tree) if _removable(place)]
        return {STARTUP: yaml.safe_dump([{"set": settings_tree.picked(tree, places)}], sort_keys=False)}

    def compare(self, session: SwitchSession, running: Mapping[str, str], files: Mapping[str, str]) -> SwitchChange:  # noqa: ARG002
        """By the trees of both."""
        there = list(settings_tree.leaves(_expanded(_settings(running[RUNNING]))))
        required = _from_commands(files[COMMANDS]) if COMMANDS in files else _from_yaml(files)
        delta = settings_tree.difference(there, required, _removable)
        stage = [SwitchCommand(f"nv unset {shlex.join(place)}") for place in delta.removed]
        if COMMANDS in files:
            stage += [SwitchCommand(f"nv set {shlex.join(settings_tree.plain(place))}") for place in delta.added]
        elif delta.added:
            added = settings_tree.picked(_settings(files[STARTUP]), delta.added)
            patch = yaml.safe_dump([{"set": added}], sort_keys=False)
            stage += [SwitchCommand(f"cat > {STAGED_FILE}", patch), SwitchCommand(f"nv config patch {STAGED_FILE}")]
        left_alone = tuple(" ".join(place) for place in delta.left_alone)
        return SwitchChange(delta.lines(), tuple(stage), left_alone)

    def busy(self, session: SwitchSession) -> str:
        """A revision that waits for its confirmation, or is pending for our account."""
        if waiting := _waiting(session):
            return f"revision {waiting[0]} waits for its confirmation"
        return (
            "a revision of this account is pending (`nv config diff`)" if session.run("nv config diff").strip() else ""
        )

    def apply(self, session: SwitchSession, change: SwitchChange, seconds: int) -> None:
        """`nv config apply --confirm`."""
        for command in change.stage:
            session.run(command.words, command.text)
        session.run(f"nv config apply --confirm {seconds}s --assume-yes")

    def withdraw(self, session: SwitchSession) -> None:
        """`nv config detach`."""
        session.run("nv config detach")

    def waits(self, session: SwitchSession) -> bool:
        """Whether a revision has the state ``confirm``."""
        return bool(_waiting(session))

    def confirm(self, session: SwitchSession) -> None:
        """`--confirm-yes`, and saved for the next start."""
        session.run(f"nv config apply {_waiting(session)[0]} --confirm-yes")
        session.run("nv config save")


def _waiting(session: SwitchSession) -> list[str]:
    """Numbers of the revisions that wait for their confirmation."""
    revisions = _document(session.run("nv config revision -o json"), "nv config revision")
    return [name for name, about in revisions.items() if isinstance(about, Mapping) and about.get("state") == CONFIRM]


def _document(printed: str, command: str) -> dict[str, Any]:
    try:
        document = foreign.json_document(printed, foreign.limit("node_document"))
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise OutsideError(f"`{command}` printed no JSON: is it Cumulus Linux 5 or NVOS?")
    return document


def _settings(text: str) -> Mapping[str, Any]:
    """What stands under ``set`` in a file of NVUE. OutsideError for something else."""
    try:
        foreign.refuse_document(text.encode(), foreign.limit("node_document"))
        entries = yaml_text.load(text) if text.strip() else []
    except (ValueError, yaml.YAMLError) as error:
        raise OutsideError(f"`nv config show` printed no YAML ({str(error).splitlines()[0]})") from error
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, Mapping) and isinstance(entry.get("set"), Mapping):
            settings: Mapping[str, Any] = entry["set"]
            return settings
    return {}


def _from_yaml(files: Mapping[str, str]) -> list[Place]:
    return list(settings_tree.leaves(_settings(files[STARTUP])))


def _from_commands(text: str) -> list[Place]:
    """The settings of the lines ``nv set``."""
    places = []
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        if words[:2] == ["nv", "set"]:
            *names, last = words[2:]
            places.append((*names, last if names and names[-1] in LISTS else f"={last}"))
    return places


def _removable(place: Place) -> bool:
    return not any(
        place[: len(undeclared)] == undeclared or undeclared[: len(place)] == place for undeclared in UNDECLARED
    )


def _expanded(tree: Any, parent: str = "") -> Any:
    """`tree` with ``swp1-4`` as four names."""
    if not isinstance(tree, Mapping):
        return tree
    result: dict[str, Any] = {}
    for name, value in tree.items():
        for single in _names(str(name)) if parent in SPANS_UNDER else [str(name)]:
            _merge(result, single, _expanded(value, str(name)))
    return result


def _merge(result: dict[str, Any], name: str, value: Any) -> None:
    """A port may stand in one span for one setting and in another for the next."""
    have = result.get(name)
    if isinstance(have, dict) and isinstance(value, dict):
        for inner, content in value.items():
            _merge(have, inner, content)
    else:
        result[name] = dict(value) if isinstance(value, dict) else value


def _names(name: str) -> Iterator[str]:
    stem = ""
    for part in name.split(","):
        match = SPAN.fullmatch(part)
        if not match or int(match["last"]) - int(match["first"]) not in range(MOST_OF_A_SPAN):
            yield f"{stem}{part}" if part.isdigit() else part
            continue
        stem = match["stem"] or stem
        yield from (f"{stem}{number}" for number in range(int(match["first"]), int(match["last"]) + 1))
