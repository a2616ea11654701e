"""What onboarding brings about on one node, as a flat list: the same work for every tool that is measured.

They are the declarations of the roles, so
that all tools install the same packages, write the same files and start the same units.
"""

from __future__ import annotations

import argparse
import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rackwright import catalog, design, spec
from rackwright.onboard import facts, plan, role_engine

APT = ["-o", "Dir::Etc::sourcelist=-", "-o", "Dir::Etc::sourceparts=/etc/apt/sources.list.d", "-o", "Dpkg::Use-Pty=0"]
"""What every tool gives to apt: no other source than that of the site."""


def acts(site: Path, node_name: str, munge_key: Path, release: str) -> list[dict[str, Any]]:
    """Everything that the roles of one node declare; `release` is the kernel that runs there."""
    loaded = spec.load(site)
    design_ = design.expand(loaded.site, catalog.load(loaded.site.catalog))
    node = design_.node(node_name)
    bill = design_.site.software.bill(node.pool)
    roles = plan.node_roles(design_, node, bill)
    variables = plan.host_variables(
        node, roles, bill, facts.Context(design_, {"munge_key": munge_key, "kubeadm_token": munge_key})
    )
    names = [role.name for role in roles]
    facts_ = role_engine.expected_facts(bill)
    facts_ |= {
        "kernel": {**facts_["kernel"], "release": release},
        "container": True,
    }  # hosts of the twin call themselves one
    work: list[dict[str, Any]] = []
    for part in ("install", "configure", "run", "join", "verify"):
        for section in role_engine.run_part(part, names, variables, facts_)[1].get("roles", []):
            work += _of(section, munge_key)
        if part == "configure":  # kernel arguments and driver: every fresh node needs it once
            work.append({"role": "site", "kind": "reboot"})
    return work


def _of(section: dict[str, Any], munge_key: Path) -> Iterator[dict[str, Any]]:
    role = section["role"]
    for key in section.get("keys", []):
        yield {"role": role, "kind": "fetch", "path": key["path"], "url": key["url"]}
    for source in section.get("sources", []):
        yield {
            "role": role,
            "kind": "file",
            "path": f"/etc/apt/sources.list.d/{source['name']}.sources",
            "text": _source(source),
        }
        yield {"role": role, "kind": "run", "run": ["apt-get", "-q", *APT, "update"]}
    if section.get("packages"):
        path = f"/etc/apt/preferences.d/rackwright-{role.replace('_', '-')}"
        yield {"role": role, "kind": "file", "path": path, "text": _pins(section["packages"])}
        plain = [
            f"{name}={version}" if version else name for name, version in section["packages"].items() if "*" not in name
        ]
        options = ["--yes", "--allow-downgrades", "--allow-change-held-packages", "--no-install-recommends"]
        yield {"role": role, "kind": "run", "run": ["apt-get", "-q", *APT, "install", *options, *plain]}
        names = [name for name, version in section["packages"].items() if version and "*" not in name]
        yield from [{"role": role, "kind": "run", "run": ["apt-mark", "hold", *names]}] if names else []
    for group in section.get("groups", []):
        yield {"role": role, "kind": "group", **group}
    for user in section.get("users", []):
        yield {"role": role, "kind": "user", **user}
    yield from (_file(role, entry, munge_key) for entry in section.get("files", []) if not entry.get("absent"))
    for command in section.get("commands", []):
        yield {"role": role, "kind": "run", "run": command["run"]}
    for unit in section.get("units", []):
        yield {
            "role": role,
            "kind": "unit",
            "name": unit["name"],
            "masked": bool(unit.get("masked")),
            "missing_ok": bool(unit.get("missing_ok")),
        }
    for look in section.get("verify", []):
        yield {"role": role, "kind": "look", "run": look.get("run") or ["cat", look["file"]]}


def _file(role: str, entry: dict[str, Any], munge_key: Path) -> dict[str, Any]:
    if entry.get("link"):
        return {"role": role, "kind": "link", "path": entry["path"], "target": entry["link"]}
    text = entry.get("text")  # a secret travels apart, so its entry has none
    content = {"from": str(munge_key)} if text is None else {"base64": base64.b64encode(str(text).encode()).decode()}
    return {
        "role": role,
        "kind": "file",
        "path": entry["path"],
        **content,
        "mode": str(entry.get("mode") or "0644"),
        "owner": entry.get("owner") or "root",
        "group": entry.get("group") or "root",
    }


def _pins(packages: dict[str, str]) -> str:
    """What a package draws in must have its version too (apt_preferences(5))."""
    stanzas = [
        f"Package: {name}\nPin: version {pattern}\nPin-Priority: 1001\n"
        for name, pattern in sorted(packages.items())
        if pattern
    ]
    return "\n".join(stanzas)


def _source(source: dict[str, Any]) -> str:
    lines = ["Types: deb", f"URIs: {source['uri']}", f"Suites: {' '.join(source['suites'])}"]
    return "\n".join([*lines, f"Components: {' '.join(source['components'])}", f"Signed-By: {source['keyring']}", ""])


def main() -> None:
    """Print the list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("node")
    parser.add_argument("munge_key", type=Path)
    parser.add_argument("release", help="of the kernel that runs on the node")
    args = parser.parse_args()
    print(json.dumps(acts(args.site, args.node, args.munge_key, args.release)))


if __name__ == "__main__":
    main()
