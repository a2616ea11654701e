"""What the stack ``stacks/network`` declares, from the settings of the stack: the site is loaded, expanded and rendered; nothing is contacted."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rackwright.base.errors import UsageError
from rackwright.base.name_list import listed_names
from rackwright.catalog import switch_practice
from rackwright.cli import access
from rackwright.cli import site as argument
from rackwright.configure.masking import masked
from rackwright.configure.waves import waves
from rackwright.export import ExportRequest
from rackwright.flow import lossless_class, switch_changes
from rackwright.model.resource import DeclaredSwitch
from rackwright.model.site import Site


@dataclass(frozen=True)
class DeclaredNetwork:
    """The switches of a stack, and how they are reached."""

    site: str
    waves: list[list[DeclaredSwitch]]
    secrets: list[str]
    """Switches whose files hold secrets."""
    settings: Mapping[str, str]
    unprotected: list[str]


def load(path: str, setting: Callable[[str], str]) -> DeclaredNetwork:
    """The network of the site at `path`; `setting`: name of a setting of the stack -> its value, empty where it is not set.

    Raises what loading and expanding a site raise, and ProblemsError for what cannot be written or applied.
    """
    loaded = argument.load(Namespace(site=path))
    design = argument.expand(loaded)
    request = ExportRequest(setting("fabric"), lossless=lossless_class.of_site(design))
    required = switch_changes.required_switches(design, request)
    order = waves(design, required, switch_practice.load().applying.leaves_at_once)
    work = argument.workspace(Namespace(work=setting("work")), loaded.site).path
    return DeclaredNetwork(
        loaded.site.site,
        order,
        [switch.name for switch in required if any(masked(text) != text for text in switch.files.values())],
        {**_reach(loaded.site), "switchRecords": str(work.resolve() / "switches")},
        list(listed_names(setting("unprotected"))),
    )


def _reach(site: Site) -> dict[str, str]:
    reach, user = access.to_hosts(site), site.control.ssh.switch_user
    if user is None:
        raise UsageError(
            "nobody logs in to switches of this site: declare control.ssh.switch_user, an account that may change their configuration"
        )
    return {"switchUser": user, "sshKey": str(reach.ssh_key.resolve()), "knownHosts": str(reach.known_hosts.resolve())}
