"""What ``node_state`` is asked to do on one host: the sections of a part, role by role, what follows a change, and secrets apart.

Loaded by path (see ``role_state``).
"""

from __future__ import annotations

from functools import cached_property

SECTIONS = {
    "install": ("sources", "files", "remove", "packages", "downloads"),
    "configure": ("groups", "users", "files", "commands"),
    "run": ("units",),
    "join": ("units", "audit"),
    "verify": ("verify", "audit"),
}
KEYRINGS = {"debian": "/etc/apt/keyrings/{}-mirror.asc", "redhat": "/etc/pki/rpm-gpg/RPM-GPG-KEY-{}"}
RELOAD = ["/etc/systemd/system/*", "/lib/systemd/system/*", "/usr/lib/systemd/system/*"]


class Host:
    """The roles of one host, each read once."""

    def __init__(self, read, played, own, family):
        """`read`: makes the declarations of a role; `played`: roles of this act; `own`: all roles of the host, in order."""
        self.played = {role: read(role) for role in played}
        self._read, self._own = read, own
        self.family = family
        self.secrets = {}
        """Content of files that must not be seen, in base64, by path; filled by `part`."""

    def reasons(self):
        """Why this host needs a reboot."""
        return [reason for one in self.played.values() for reason in one.reasons()]

    def told(self, section):
        """The sentences of ``refuse`` or of ``unfit``."""
        return [sentence for one in self.played.values() for sentence in one.told(section)]

    def part(self, part):
        """Declarations of `part`, one mapping per role that has any."""
        found = [{"role": role, **self._sections(part, one)} for role, one in self.played.items()]
        return [sections for sections in found if len(sections) > 1]

    def everything(self):
        """Declarations of every part, each with its name, for a look at all of them."""
        return [{"part": part, **sections} for part in SECTIONS for sections in self.part(part)]

    def watchers(self, declared):
        """What follows a change of files, whichever role declares it: the daemon of a file may be that of another role."""
        found = {"systemd.reload": RELOAD}
        if any(sections.get("files") or sections.get("commands") for sections in declared):
            found = {name: asked for one in self._all.values() for name, asked in one.watchers().items()} | found
        return found

    @cached_property
    def _all(self):
        """All roles of the host, those that are not played now included."""
        rest = {role: self._read(role) for role in self._own if role not in self.played}
        return {role: self.played.get(role) or rest[role] for role in dict.fromkeys([*self._own, *self.played])}

    def _sections(self, part, declarations):
        sections = {name: found for name in SECTIONS[part] if (found := declarations.section(name))}
        if part in ("run", "join"):
            sections = _marked(sections, "units", "late", part == "join")
        if part in ("install", "configure"):
            sections = _marked(sections, "files", "early", part == "install")
            declarations.fill(sections.get("files", []), self.secrets)
        if "sources" in sections:
            sections["keys"] = _with_keys(sections["sources"], KEYRINGS[self.family])
        if "audit" in sections:
            sections["audit"] = [{**entry, **self._of_all_roles()} for entry in sections["audit"]]
        return sections

    def _of_all_roles(self):
        """Packages and sources that all roles of the host declare."""
        return {
            "declared": {role: one.section("packages") for role, one in self._all.items()},
            "sources": [entry["uri"] for one in self._all.values() for entry in one.section("sources")],
        }


def _marked(sections, name, mark, wanted):
    """Units that wait for other hosts (``late``) or that do not; files that packages need (``early``) or that need them."""
    found = [entry for entry in sections.get(name, []) if bool(entry.get(mark)) == wanted]
    rest = {key: value for key, value in sections.items() if key != name}
    return {**rest, name: found} if found else rest


def _with_keys(sources, keyring):
    """Name the keyring of every source; returns what has to be fetched for them."""
    keys = []
    for entry in sources:
        entry["keyring"] = keyring.format(entry["name"])
        if entry.get("key_url"):
            keys.append({"path": entry["keyring"], "url": entry["key_url"], "sha256": entry.get("key_sha256", "")})
    return keys
