"""A site with a folder of its own: a server, a collector with its check, limit and gate pattern, and a role."""

from __future__ import annotations

from pathlib import Path

from tests import build

FILES = {
    "validators/collectors/acme_swap.py": '''
"""Swap of the host. Columns of /proc/swaps: swapon(8)."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.base import Record


class Swap(Record):
    """Swap that the kernel uses."""

    kib: dict[str, int]
    """Size in KiB, by file or partition."""


def parse(output: str) -> Swap:
    """The table that the kernel prints."""
    sizes = {}
    for number, line in enumerate(output.splitlines()[1:], 2):
        name, _, size, *_ = [*line.split(), "", "", ""]
        if not size.isdecimal():
            raise ParseError(number, line, "a file, its type and its size in KiB")
        sizes[name] = int(size)
    return Swap(kib=sizes)


COLLECTOR = Collector(produces=Swap, parse=parse, seconds=10, roles=("accelerator",), command=("cat", "/proc/swaps"))
''',
    "validators/checks/acme/swap.py": '''
"""No accelerator node swaps."""

from rackwright.base import content
from rackwright.compare.threshold import at_most, threshold

Swap = content.module("validators", "collectors", "acme_swap", near=__file__).Swap

CHECK = threshold(
    reads=Swap,
    metric="acme.swap_kib",
    values=lambda swap: {"swap": sum(swap.kib.values())},
    good=at_most,
    what="swap",
)
''',
    "validators/checks/acme/swap.md": "# acme.swap: No node swaps\n\n## What to do next\n\nswapoff -a\n",
    "validators/limits/acme.yaml": """
metrics:
  - {metric: acme.swap_kib, unit: KiB, judged: at_most, least: 0, says: swap in use}
limits:
  - {metric: acme.swap_kib, match: {}, value: 0, unit: KiB, kind: operator, date: "2026-11-23", source: "Acme runbook 7"}
""",
    "validators/gates.yaml": "additions:\n  - {gate: node, checks: [acme.swap]}\n",
    "twin/tools/acme_swap.py": '''
"""/proc/swaps of a node of the twin, as Linux prints it."""

def observe(state, design, node):
    return b"Filename\\t\\t\\t\\tType\\t\\tSize\\t\\tUsed\\t\\tPriority\\n"
''',
    "roles/site_swap/meta/rackwright.yml": "summary: Swap off.\nafter: [base]\nhosts: {role: accelerator}\nexpires: 2027-06-01\n",
    "roles/site_swap/meta/argument_specs.yml": """
argument_specs:
  main:
    options:
      site_swap_off: {type: bool, default: true, description: Whether swap is switched off.}
""",
    "roles/site_swap/defaults/main.yml": "site_swap_off: true\n",
    "roles/site_swap/state.yml": """
refuse:
  - {when: not site_swap_off, message: this site never swaps; remove site_swap_off}
files:
  - {path: /etc/sysctl.d/95-site-swap.conf, content: "vm.swappiness = 0", when: site_swap_off}
""",
}
"""By path below the folder of the site."""


def write(folder: Path, changes: dict[str, str] | None = None) -> Path:
    """The example site on a server of its own, in `folder`; `changes` replace files of its own folder. Returns the site file."""
    for name, text in {**FILES, **server_files(), **(changes or {})}.items():
        path = folder / "own" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"), encoding="utf-8")
    site = folder / "site.yaml"
    text = build.EXAMPLE.read_text(encoding="utf-8").replace("server: dgx-h100\n", "server: acme-h100\n")
    site.write_text(f"{text}\nsite_folder: own\n", encoding="utf-8")
    return site


def server_files() -> dict[str, str]:
    """The server of the site: the shipped one under another name."""
    text = (build.EXAMPLE.parents[2] / "rackwright/catalog/servers/dgx-h100.yaml").read_text(encoding="utf-8")
    return {"catalog/servers/acme-h100.yaml": text.replace("sku: dgx-h100\n", "sku: acme-h100\n")}
