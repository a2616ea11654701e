"""Packages by dpkg and apt: pinned, installed and held in one transaction over all roles of a host.

Bundles are mappings of role -> package -> version pattern.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from ansible.module_utils.rackwright_act import ActError
from ansible.module_utils.rackwright_files import current, put
from ansible.module_utils.rackwright_versions import HELD_AS_IT_IS, asked_version

PREFERENCES = "/etc/apt/preferences.d"
SOURCES = "/etc/apt/sources.list.d"
LEFT_OUT = "-left-out"
"""End of the name of the preferences of a source, those of a role are named after it."""
OURS = "/var/lib/rackwright/apt"
"""Links to the sources that roles declared; apt reads only these."""
PIN_PRIORITY = 1001  # apt_preferences(5): above 1000 a version is installed even when that is a downgrade
JOURNAL = (
    "/var/lib/dpkg/updates"  # not empty: dpkg was killed in the middle, and apt refuses everything until it has ended
)
QUIET = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
KEEP_OURS = ("-o", "Dpkg::Options::=--force-confdef", "-o", "Dpkg::Options::=--force-confold")
"""A configuration file that a role wrote stays when its package brings another one; dpkg would ask, and nobody is there to answer."""
BLAMED = "dpkg: error processing "
BUILD = ("Error!", "dkms:", "Consult /var/lib/dkms")
LOCK_SECONDS = 60
MOST_REASONS = 3
"""apt complains of every file; the first ones say what is wrong."""
UNFINISHED = ("unpacked", "half-configured", "half-installed", "triggers-awaited", "triggers-pending")
HINTS = {
    "EXPKEYSIG": "the key that signs this mirror has expired: renew it on the mirror and remove the keyring on the host",
    "NO_PUBKEY": "the mirror is signed by another key than the one on the host: check base_apt_key_url",
    "Hash Sum mismatch": "the mirror gave out a file that is not the one in its index: run `rackwright mirror verify` on it",
    "Remote end closed connection": "the mirror broke off in the middle: look at its server, and onboard again",
    "Could not get lock": "another program holds the package database: wait for it, and onboard again",
    "No space left": "the disk of the host is full: make room, and onboard again",
    "enough free space": "the disk of the host is full: make room, and onboard again",
}


class Packages:
    """The package manager of one host."""

    def __init__(self, act, *, any_source):
        """With `any_source` every source of the host is used, for sites whose mirror does not carry the distribution."""
        self._act = act
        self._any_source = any_source

    def have(self, names):
        """Package -> (version, held) of fully installed packages; empty for no `names`."""
        if not names:
            return {}
        fields = "${Package}\\t${Version}\\t${db:Status-Want}\\t${db:Status-Status}\\n"
        _, out, _ = self._act.run(["dpkg-query", "--show", f"--showformat={fields}", *sorted(names)])
        rows = [line.split("\t") for line in out.splitlines() if line]
        return {name: (version, want == "hold") for name, version, want, status in rows if status == "installed"}

    def source(self, entry):
        """Name one package source; returns whether it changed."""
        path = f"{SOURCES}/{entry['name']}.sources"
        text = source_text(entry)
        link = Path(OURS, Path(path).name)
        if entry.get("exclude"):
            self._exclude(entry)
        if current(path) == text and link.is_symlink():
            return False
        self._act.changed(path, current(path), text)
        if not self._act.check:
            put(path, text)
            link.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(path)
        return True

    def forget(self, prefix, names):
        """Remove sources whose names begin with `prefix` and are not among `names`."""
        for path in sorted(Path(SOURCES).glob(f"{prefix}*.sources")):
            if path.stem not in names and Path(OURS, path.name).is_symlink():
                self._act.changed(str(path), current(path), "")
                if not self._act.check:
                    for gone in (path, Path(OURS, path.name), Path(PREFERENCES, f"{path.stem}{LEFT_OUT}")):
                        gone.unlink(missing_ok=True)

    def _exclude(self, entry):
        """Write the preferences that exclude packages of a source (apt_preferences(5): a negative priority prevents the installation)."""
        path, host = f"{PREFERENCES}/{entry['name']}{LEFT_OUT}", urlsplit(entry["uri"]).hostname
        text = f"# written by rackwright\nPackage: {' '.join(entry['exclude'])}\nPin: origin {host}\nPin-Priority: -1\n"
        if current(path) != text:
            self._act.changed(path, current(path), text)
            if not self._act.check:
                put(path, text)

    def pin(self, role, packages):
        """Write the preferences file of a role."""
        path = f"{PREFERENCES}/rackwright-{role.replace('_', '-')}"
        text, before = pin_text(packages), current(path)
        if "Pin:" in text and before != text:
            self._act.changed(path, before, text)
            if not self._act.check:
                put(path, text)

    def install(self, missing, versions):
        """Install everything in one transaction; packages left half unpacked by a killed run are unpacked again."""
        broken = self._forget_half_unpacked()
        self._configure(must=False)
        self._apt("update")
        words = [f"{name}={pattern}" if (pattern := asked_version(name, versions)) else name for name in missing]
        words += [name for name in broken if name not in missing]
        changes = ["--allow-downgrades", "--allow-change-held-packages", "--no-install-recommends"]
        changes += ["--fix-broken"] if broken else []
        self._apt("install", "--yes", *changes, *words)

    def _forget_half_unpacked(self):
        """Remove packages that a killed run left half unpacked, and return their names.

        dpkg marks them as to be reinstalled and configures none of them ("very bad inconsistent state", dpkg(1) on --force-remove-reinstreq).
        """
        names = self._half_unpacked()
        if names:
            argv = ["dpkg", "--force-remove-reinstreq", "--force-depends", "--remove", *names]
            self._act.run(argv, environ_update=QUIET)
        return names

    def _half_unpacked(self):
        return self._in_state("db:Status-Eflag", ("reinstreq",))

    def remove(self, names):
        """Purge packages, held ones included."""
        self.finish()
        self._apt("purge", "--yes", "--allow-change-held-packages", *names)

    def hold(self, names):
        """Put packages on hold."""
        words = "".join(f"{name} hold\n" for name in names)
        self._act.must(["dpkg", "--set-selections"], "packages cannot be held", data=words, binary_data=False)

    def release(self, names):
        """Take packages off hold; they stay installed."""
        words = "".join(f"{name} install\n" for name in names)
        self._act.must(["dpkg", "--set-selections"], "packages cannot be released", data=words, binary_data=False)

    def unfinished(self):
        """Packages that dpkg has not finished."""
        return self._in_state("db:Status-Status", UNFINISHED)

    def _in_state(self, field, states):
        """Packages with one of `states` in a field of dpkg's database."""
        _, out, _ = self._act.run(["dpkg-query", "--show", f"--showformat=${{Package}}\\t${{{field}}}\\n"])
        rows = [line.split("\t") for line in out.splitlines() if line]
        return [name for name, state in rows if state in states]

    def finish(self):
        """Finish what a killed run, or a reboot in the middle of one, left half done; ActError if dpkg cannot."""
        if self._half_unpacked():
            self.install([], {})
        self._configure(must=True)

    def _configure(self, must):
        """Configure unpacked packages; with `must`, ActError if dpkg cannot."""
        if any(Path(JOURNAL).iterdir()) or self.unfinished():
            argv = ["dpkg", "--force-confdef", "--force-confold", "--configure", "-a"]
            code, out, err = self._act.run(argv, environ_update=QUIET)
            if code != 0 and must:
                raise ActError(f"dpkg was interrupted and cannot end its work: {_reason(out, err)}")

    def _apt(self, *words):
        """Run apt-get; ActError with apt's own error."""
        options = ["-o", f"DPkg::Lock::Timeout={LOCK_SECONDS}", "-o", "Dpkg::Use-Pty=0", *KEEP_OURS]
        if not self._any_source:
            # The cache of the other sources takes seconds to build; this one is small, so it is built in memory.
            options += ["-o", "Dir::Etc::sourcelist=-", "-o", f"Dir::Etc::sourceparts={OURS}"]
            options += [
                "-o",
                "APT::Get::List-Cleanup=0",
                "-o",
                "Dir::Cache::pkgcache=",
                "-o",
                "Dir::Cache::srcpkgcache=",
            ]
        code, out, err = self._act.run(["apt-get", "--quiet", *options, *words], environ_update=QUIET)
        if code != 0:
            sources = "" if self._any_source else " (only the sources of the roles were asked)"
            raise ActError(f"apt-get {words[0]} failed: {_reason(out, err, sources)}")


def _reason(out, err, otherwise=""):
    """A short reason for a failure: build errors on the host, errors of the package manager, and what to do about them."""
    lines = [line for line in f"{err}\n{out}".splitlines() if line.strip()]
    build = [line for line in lines if line.startswith(BUILD)]
    reasons = [line for line in lines if line.startswith("E:")] or err.strip().splitlines()[-3:]
    hints = [f" ({hint})" for sign, hint in HINTS.items() if sign in err + out][:1]
    # dpkg names the package in one line and the reason in the next (dpkg 1.21, src/main/errors.c): of use where nothing else says why.
    blamed = [
        " ".join(map(str.strip, lines[number : number + 2]))
        for number, line in enumerate(lines)
        if line.startswith(BLAMED) and not build and not hints
    ]
    more = [f"and {len(reasons) - MOST_REASONS} more"] if len(reasons) > MOST_REASONS else []
    return " ".join([*dict.fromkeys(build), *blamed[:MOST_REASONS], *reasons[:MOST_REASONS], *more]) + (
        "".join(hints) or otherwise
    )


def source_text(entry):
    """A deb822 source, as sources.list(5) describes it."""
    lines = ["# written by rackwright", "Types: deb", f"URIs: {entry['uri']}", f"Suites: {' '.join(entry['suites'])}"]
    lines += [f"Components: {' '.join(entry['components'])}"] if entry.get("components") else []
    return "\n".join([*lines, f"Signed-By: {entry['keyring']}", ""])


def pin_text(packages):
    """An apt preferences file for the packages with a version."""
    stanzas = [
        f"Package: {name}\nPin: version {pattern}\nPin-Priority: {PIN_PRIORITY}\n"
        for name, pattern in sorted(packages.items())
        if pattern not in ("", HELD_AS_IT_IS)
    ]
    return "# written by rackwright\n" + "\n".join(stanzas)
