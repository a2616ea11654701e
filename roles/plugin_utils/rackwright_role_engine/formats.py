"""Values that file formats can carry: a value that would have another meaning there is refused, with the template and the value.

A value is inserted by ``{{ }}`` into a template file. Variables of a role that are templates themselves are filled in before, without this test.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from ansible.errors import AnsibleActionFail  # type: ignore[import-untyped]
from jinja2 import pass_context

_CONTROL = r"\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029"
_PLAIN = r"A-Za-z0-9_@%+=:,./~ -"


@dataclass(frozen=True)
class Format:
    """One format of files."""

    carries: re.Pattern[str]
    """What a value may be."""
    expected: str


SHELL = Format(re.compile(f"[{_PLAIN}]*"), "a script carries letters, digits, spaces and _@%+=:,./~-")
UNIT = Format(
    re.compile(rf"[\[\]{_PLAIN.replace('%', '')}]*"), "a unit carries letters, digits, spaces and _@+=:,./~[]-"
)
QUOTED = Format(
    re.compile(rf'[^{_CONTROL}"\\]*'), "a quoted text carries no quotation marks, backslashes and control characters"
)
WORD = Format(
    re.compile(rf"[^{_CONTROL}\s\"'\\#]*"),
    "a word carries no spaces, quotation marks, backslashes, # and control characters",
)
LINE = Format(re.compile(f"[^{_CONTROL}]*"), "a line carries no control characters")
SERIALISED = Format(re.compile(r"(?s:.*)"), "each value is written by to_json or to_nice_yaml")

FORMATS: dict[Format, tuple[str, ...]] = {
    SHELL: ("*.sh.j2", "grub.cfg.j2", "openib.conf.j2", "chrony.default.j2", "kubelet.env.j2"),
    UNIT: (
        *(
            "*.service.j2",
            "*.timer.j2",
            "mount.j2",
            "override.conf.j2",
            "slurmd.conf.j2",
            "system.conf.j2",
            "openibd.conf.j2",
        ),
        *("dcgm-exporter.conf.j2", "fabricmanager.conf.j2"),
    ),
    QUOTED: ("*.toml.j2", "*.rules.j2", "lnet.conf.j2"),
    WORD: (
        *("slurm.conf.j2", "gres.conf.j2", "cgroup.conf.j2", "hosts.j2", "limits.conf.j2", "tmpfiles.conf.j2"),
        *("beegfs-client.conf.j2", "beegfs-mounts.conf.j2", "chrony.conf.j2", "nodes_config.cfg.j2"),
        *("modules.conf.j2", "modules-load.conf.j2", "keepalived.conf.j2", "plugstack.conf.j2"),
    ),
    LINE: (
        *(
            "modprobe.conf.j2",
            "sysctl.conf.j2",
            "sunrpc.conf.j2",
            "counters.csv.j2",
            "preferences.j2",
            "rocm-pin-600.j2",
        ),
        *("nccl.conf.j2", "apt.conf.j2", "needrestart.conf.j2", "pam.j2", "enroot.conf.j2"),
    ),
    SERIALISED: ("*.json.j2", "*.yaml.j2", "*.py.j2", "kubelet.conf.j2"),
}
"""Format -> names of its templates. Templates of a site's own roles with other names are their author's to quote."""


def format_of(template: str) -> Format | None:
    """The format of a template, by its name; None if no format has such names."""
    return next((form for form, names in FORMATS.items() if any(fnmatchcase(template, name) for name in names)), None)


def finalizer(role: str, template: str, finalize: Callable[[Any, Any], Any], notice: str) -> Callable[[Any, Any], Any]:
    """`finalize` of a Jinja environment, extended to refuse values that the format of `template` cannot carry; `notice` is always accepted."""
    form = format_of(template)
    if form is None:
        return finalize

    @pass_context  # type: ignore[arg-type]
    def checked(context: Any, value: Any) -> Any:
        value = finalize(context, value)
        if isinstance(value, str) and value != notice and not form.carries.fullmatch(value):
            step = "correct the option of the role, or the field of the site file, that it comes from"
            raise AnsibleActionFail(f"{role}: {template} cannot carry {str(value)!a}: {form.expected}; {step}")
        return value

    return checked
