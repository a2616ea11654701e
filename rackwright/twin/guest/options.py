"""The command line of `systemctl`, read as far as it makes a difference in a host of the twin.

Source: systemctl(1) of systemd 252.
"""

from __future__ import annotations

_READING = "is-active is-failed is-enabled show status cat list-unit-files list-units is-system-running get-default list-timers list-sockets"
READING = frozenset(_READING.split())
"""What an account that is not root may do (org.freedesktop.systemd1.conf and its polkit policy, systemd 252; secondary, 2026-11-26)."""


class Options:
    """The options that change what a verb does; all others of systemctl are accepted and make no difference here."""

    def __init__(self, words: list[str]) -> None:
        self.names: list[str] = []
        self.properties: list[str] = []
        self.flags: set[str] = set()
        self.values: dict[str, str] = {}
        rest = iter(words)
        for word in filter(None, rest):
            if word == "--":
                self.names += rest
            elif word in ("-p", "--property"):
                self.properties += next(rest, "").split(",")
            elif word in ("-t", "-n", "-o", "-s", "-H", "-M", "--type", "--signal", "--lines", "--output", "--machine"):
                self.values[word.lstrip("-")] = next(rest, "")
            elif word.startswith(("--property=", "-p")):
                self.properties += word.partition("=")[2].split(",") if "=" in word else word[2:].split(",")
            elif word.startswith("--") and "=" in word:
                key, _, value = word[2:].partition("=")
                self.values[key] = value
            elif word.startswith("-"):
                self.flags.add(word)
            else:
                self.names.append(word)
        self.verb = self.names.pop(0) if self.names else "list-units"
        self.quiet = bool(self.flags & {"-q", "--quiet"})


def refuse_changes(words: list[str], user: int) -> None:
    """ValueError for a call of an account other than root that changes something."""
    options = Options(words)
    if user and options.verb not in READING:
        raise ValueError(f"Failed to {options.verb} {' '.join(options.names)}: Interactive authentication required.")
