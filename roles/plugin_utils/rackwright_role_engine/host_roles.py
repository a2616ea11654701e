"""The arguments of ``node_state`` for one host: the sections of a part, role by role, the actions after a change, and secrets apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from .declarations import RoleDeclarations

SECTIONS = {
    "install": ("groups", "users", "sources", "files", "remove", "packages", "downloads"),
    "configure": ("files", "commands"),
    "run": ("units",),
    "join": ("units", "audit"),
    "verify": ("verify", "audit"),
}
KEYRINGS = {"debian": "/etc/apt/keyrings/{}-mirror.asc", "redhat": "/etc/pki/rpm-gpg/RPM-GPG-KEY-{}"}
RELOAD = ["/etc/systemd/system/*", "/lib/systemd/system/*", "/usr/lib/systemd/system/*"]


class HostRoles:
    """The roles of one host, each read once."""

    def __init__(
        self, read: Callable[[str], RoleDeclarations], roles: Iterable[str], host_roles: Sequence[str], family: str
    ) -> None:
        """`read` reads one role; `roles` are those of this task, `host_roles` all of the host, in order."""
        self.declarations = {role: read(role) for role in roles}
        self._read, self._host_roles = read, host_roles
        self.family = family
        self.secrets: dict[str, str] = {}
        """Content of secret files, in base64, by path; filled by `part`."""

    def reboot_reasons(self) -> list[str]:
        """Why this host needs a reboot."""
        return [reason for role in self.declarations.values() for reason in role.reboot_reasons()]

    def messages(self, section: str) -> list[str]:
        """The sentences of ``refuse`` or of ``unfit``."""
        return [message for role in self.declarations.values() for message in role.messages(section)]

    def part(self, part: str) -> list[dict[str, Any]]:
        """Declarations of `part`, one mapping per role that has any."""
        declared = [{"role": name, **self._sections(part, role)} for name, role in self.declarations.items()]
        return [sections for sections in declared if len(sections) > 1]

    def all_parts(self) -> list[dict[str, Any]]:
        """Declarations of every part, each with its name, for a look at all of them."""
        return [{"part": part, **sections} for part in SECTIONS for sections in self.part(part)]

    def watchers(self, declared: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
        """Actions after a change of files, of all roles: a role may declare a file, and another one its daemon."""
        watchers = {"systemd.reload": RELOAD}
        if any(sections.get("files") or sections.get("commands") for sections in declared):
            watchers = {
                name: paths for role in self._all.values() for name, paths in role.watchers().items()
            } | watchers
        return watchers

    @cached_property
    def _all(self) -> dict[str, RoleDeclarations]:
        """All roles of the host, including those outside this task."""
        rest = {role: self._read(role) for role in self._host_roles if role not in self.declarations}
        names = dict.fromkeys([*self._host_roles, *self.declarations])
        return {role: self.declarations.get(role) or rest[role] for role in names}

    def _sections(self, part: str, role: RoleDeclarations) -> dict[str, Any]:
        sections = {name: entries for name in SECTIONS[part] if (entries := role.section(name))}
        if part in ("run", "join"):
            sections = _select(sections, "units", "late", part == "join")
        if part in ("install", "configure"):
            sections = _select(sections, "files", "early", part == "install")
            role.fill_files(sections.get("files", []), self.secrets)
        if "sources" in sections:
            sections["keys"] = _add_keyrings(sections["sources"], KEYRINGS[self.family])
        if "audit" in sections:
            sections["audit"] = [{**entry, **self._audited()} for entry in sections["audit"]]
        return sections

    def _audited(self) -> dict[str, Any]:
        """Packages and sources that all roles of the host declare."""
        return {
            "declared": {name: role.section("packages") for name, role in self._all.items()},
            "sources": [entry["uri"] for role in self._all.values() for entry in role.section("sources")],
        }


def _select(sections: dict[str, Any], name: str, mark: str, marked: bool) -> dict[str, Any]:
    """`sections` with only the entries of section `name` that have `mark`, or that lack it (`marked` false)."""
    entries = [entry for entry in sections.get(name, []) if bool(entry.get(mark)) == marked]
    rest = {key: value for key, value in sections.items() if key != name}
    return {**rest, name: entries} if entries else rest


def _add_keyrings(sources: list[dict[str, Any]], keyring: str) -> list[dict[str, Any]]:
    """Set the keyring of every source, and the key file of its packages if they have other signers; returns the keys to download."""
    keys = []
    for source in sources:
        source["keyring"] = source.get("keyring") or keyring.format(source["name"])
        if source.get("key_url"):
            pinned = {"sha256": source.get("key_sha256", ""), "fingerprints": source.get("key_fingerprints", [])}
            keys.append(
                {
                    "path": source["keyring"],
                    "url": source["key_url"],
                    **{by: pin for by, pin in pinned.items() if pin or by == "sha256"},
                }
            )
        if source.get("package_keys_url"):
            source["package_keys"] = f"{source['keyring']}-packages"
            digest = source.get("package_keys_sha256", "")
            keys.append({"path": source["package_keys"], "url": source["package_keys_url"], "sha256": digest})
    return keys
