"""Packages by rpm and dnf on RHEL and its rebuilds: installed at exact versions and locked, in one transaction.

Bundles are mappings of role -> package -> version pattern; a name that begins with ``@`` is a module stream (``@nvidia-driver:580-open``). The lock
is that of dnf's versionlock plug-in, which is both pin and hold. Same methods as ``rackwright_apt``.
"""

from __future__ import annotations

import re
from pathlib import Path

from ansible.module_utils.rackwright_act import ActError
from ansible.module_utils.rackwright_dnf_repair import drop_dead_locks, halves
from ansible.module_utils.rackwright_files import current, put
from ansible.module_utils.rackwright_versions import asked_version, matches, pattern_of

REPOSITORIES = "/etc/yum.repos.d"
LOCKS = "/etc/dnf/plugins/versionlock.list"
MODULES = "/etc/dnf/modules.d"
"""Where dnf keeps which streams are enabled, one file per module (rpm-software-management/libdnf, ModulePackageContainer.cpp). Read
here: `dnf module list` asks the repositories, so that a mirror which does not answer would look like a stream that is not enabled."""
MOST_REASONS = 4
"""Lines of an error that are repeated; dnf explains every candidate of every package."""
UNSIGNED = re.compile(
    r"Package \S+ is not signed|Public key for \S+ is (not installed|not trusted)|Problem opening package \S+|The GPG keys listed for .*"
)
UNSIGNED_STEP = (
    "nothing was installed: the package is not one that the keys in rackwright-rpm-keys.asc signed. Run `rackwright mirror verify` on the mirror; of a "
    "vendor that signs none, name the package in software.options.base_rpm_unsigned"
)
OURS = "rackwright"
"""Repository identifiers of declared sources begin with this."""


class Packages:
    """The package manager of one host."""

    def __init__(self, act, *, any_source):
        """With `any_source` every repository of the host is used, for sites whose mirror does not carry the distribution."""
        self._act = act
        self._any_source = any_source
        self._package_keys = []

    def have(self, names):
        """Package -> (version-release, locked) of installed packages; enabled module streams count as installed."""
        if not _plain(names):
            return {name: ("", True) for name in names if _enabled(name)}
        _, out, _ = self._act.run(
            ["rpm", "--query", "--all", "--queryformat", "%{NAME}\\t%{VERSION}-%{RELEASE}\\n", *_plain(names)]
        )
        locked = locked_names(current(LOCKS))
        installed = {}
        for name, version in [line.split("\t") for line in out.splitlines() if "\t" in line]:
            # Several kernels are installed beside each other: the one that is wanted counts.
            if name not in installed or _as_wanted(name, version, names):
                installed[name] = (version, name in locked)
        return installed | {name: ("", True) for name in names if name.startswith("@") and _enabled(name)}

    def source(self, entry):
        """Name one repository; returns whether it changed."""
        path, text = f"{REPOSITORIES}/{entry['name']}.repo", source_text(entry)
        self._package_keys += [entry["package_keys"]] if entry.get("package_keys") else []
        if current(path) == text:
            return False
        self._act.changed(path, current(path), text)
        if not self._act.check:
            put(path, text)
        return True

    def forget(self, prefix, names):
        """Remove repositories whose names begin with `prefix` and are not among `names`."""
        for path in sorted(Path(REPOSITORIES).glob(f"{prefix}*.repo")):
            if path.stem not in names:
                self._act.changed(str(path), current(path), "")
                if not self._act.check:
                    path.unlink()

    def pin(self, role, packages):
        """Nothing to write: the lock that `hold` takes is the pin as well."""

    def install(self, missing, versions):
        """Module streams first, then one transaction for everything."""
        self.finish(missing)
        # dnf reads a repository again only after two days (metadata_expire of dnf.conf(5)): newer packages of the mirror would be missing.
        self._dnf("makecache", "--refresh")
        self._import_keys()
        for stream in [name for name in missing if name.startswith("@")]:
            # Without the option dnf refuses to go from one branch of a driver to the next (dnf.conf(5)).
            self._dnf("module", "enable", stream.removeprefix("@"), "--setopt=module_stream_switch=True")
        self._unlock([name for name in missing if not name.startswith("@")])
        words = install_words([name for name in missing if not name.startswith("@")], versions)
        if words:
            self._dnf("install", "--allowerasing", "--setopt=install_weak_deps=False", *words)

    def remove(self, names):
        """Remove packages."""
        self._unlock(names)
        self._dnf("remove", *names)

    def hold(self, names):
        """Lock packages at the version that is installed."""
        if names:
            self._dnf("versionlock", "add", *names)

    def release(self, names):
        """Unlock packages; they stay installed."""
        self._unlock(names)

    def unfinished(self):
        """Packages of a transaction that a killed run never finished, and old releases beside their successors."""
        brought, superseded = halves(self._act)
        return [*brought, *superseded]

    def finish(self, replaced=()):
        """Finish what a killed run left half done: remove old releases, and reinstall the packages of the transaction so that their scripts run.

        Packages in `replaced` are not reinstalled, because they are replaced anyway.
        """
        drop_dead_locks(self._act)
        brought, superseded = halves(self._act)
        if superseded:
            # As the transaction would have done: rpm tells the scripts that the package stays, and keeps the files of its successor.
            self._act.must(
                ["rpm", "--erase", "--nodeps", *superseded], "a killed run left old releases, which do not go"
            )
        again = [package for package in brought if _name(package) not in replaced]
        if again:
            self._import_keys()
            self._dnf("reinstall", *again)

    def _import_keys(self):
        # Keys of packages belong into rpm's own key ring: every key of gpgkey may sign the index of a repository as well (dnf.conf(5)).
        for keys in self._package_keys:
            self._act.must(["rpmkeys", "--import", keys], f"rpm does not take the keys of packages in {keys}")

    def _unlock(self, names):
        ours = sorted(locked_names(current(LOCKS)) & set(names))
        if ours:
            self._dnf("versionlock", "delete", *ours)

    def _dnf(self, *words):
        sources = [] if self._any_source else ["--disablerepo=*", f"--enablerepo={OURS}*"]
        code, out, err = self._act.run(["dnf", "--assumeyes", "--quiet", *sources, *words])
        if code != 0:
            raise ActError(f"dnf {words[0]} failed: {_unsigned(f'{err}{out}') or _reason(out, err)}")


def _reason(out, err):
    """dnf's error with the lines that belong to it (``Problems in request:``, ``Problem: conflicting requests``)."""
    lines = [line.strip() for line in err.splitlines() if line.strip()] or out.strip().splitlines()[-MOST_REASONS:]
    first = next((number for number, line in enumerate(lines) if line.startswith("Error")), 0)
    more = len(lines) - first - MOST_REASONS
    return " ".join(lines[first : first + MOST_REASONS]) + (f" and {more} more lines" if more > 0 else "")


def _name(package):
    """NAME of NAME-EPOCH:VERSION-RELEASE.ARCH."""
    return package.rsplit("-", 2)[0]


def _unsigned(output):
    """Problems with signatures of packages in dnf's words, and what to do; empty without any (dnf, base.py: _sig_check_pkg)."""
    reasons = [match[0] for line in output.splitlines() if (match := UNSIGNED.search(line))]
    more = [f"and {len(reasons) - MOST_REASONS} more"] if len(reasons) > MOST_REASONS else []
    return " ".join([*dict.fromkeys(reasons[:MOST_REASONS]), *more, f"({UNSIGNED_STEP})"]) if reasons else ""


def locked_names(text):
    """Names in the list of versionlock, whose lines are NAME-EPOCH:VERSION-RELEASE.ARCH."""
    return {match[1] for line in text.splitlines() if (match := re.match(r"(\S+)-\d+:", line.strip()))}


def _enabled(stream):
    """Whether `stream` (``@name:stream``) is the enabled stream of its module."""
    module, _, requested = stream.removeprefix("@").partition(":")
    text = current(f"{MODULES}/{module}.module")
    return {f"stream={requested}", "state=enabled"} <= {line.replace(" ", "") for line in text.splitlines()}


def _as_wanted(name, version, pattern):
    return isinstance(pattern, dict) and matches(version, pattern_of(name, pattern))


def _plain(names):
    return sorted(name for name in names if not name.startswith("@"))


def install_words(names, versions):
    """Arguments for dnf install: name-version, where the version pattern of a role ends in a wildcard release."""
    return [f"{name}-{pattern}" if (pattern := asked_version(name, versions)) else name for name in names]


def source_text(entry):
    """A repository file as dnf.conf(5) describes it; unsigned packages have a repository of their own at the same place."""
    unsigned = " ".join(entry.get("unsigned") or [])
    left_out = " ".join([*(entry.get("exclude") or []), *(entry.get("unsigned") or [])])
    text = _repository(entry, entry["name"], gpgcheck=1, more=[f"excludepkgs={left_out}"] if left_out else [])
    if unsigned:
        text += "\n" + _repository(entry, f"{entry['name']}-unsigned", gpgcheck=0, more=[f"includepkgs={unsigned}"])
    return f"# written by rackwright\n{text}"


def _repository(entry, name, gpgcheck, more):
    lines = [
        f"[{name}]",
        f"name={name}",
        f"baseurl={entry['uri']}",
        "enabled=1",
        # The key of the mirror signs its index, which names every package by digest; packages have their vendors' signatures besides.
        f"repo_gpgcheck={0 if entry.get('signed') == 'packages' else 1}",
        f"gpgcheck={gpgcheck}",
        f"gpgkey=file://{entry['keyring']}",
        *([f"priority={entry['priority']}"] if entry.get("priority") else []),
    ]
    return "".join(f"{line}\n" for line in [*lines, *more])
