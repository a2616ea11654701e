"""What ``reboot``, ``poweroff``, ``halt`` and ``shutdown`` ask for: how the machine ends, and when.

Pure, so that shutdown(8)'s options can be tested.

Source: shutdown(8), halt(8) of systemd 252.
"""

from __future__ import annotations

OFF, REBOOT = 10, 11
"""Exit codes of the init, which the twin acts on."""
CANCELLED = 0
VERBS = {"poweroff": OFF, "halt": OFF, "reboot": REBOOT, "kexec": REBOOT}


class Ending:
    """How and when."""

    def __init__(self, code: int, seconds: float) -> None:
        self.code = code
        self.seconds = seconds


def requested_ending(words: list[str]) -> Ending | None:
    """The ending that `words` ask for (`CANCELLED` for ``shutdown -c``); None for any other command. ValueError for a bad time."""
    plain = [word for word in words if not word.startswith("-")]
    if plain and plain[0] in VERBS:
        return Ending(VERBS[plain[0]], 0.0)
    if not plain or plain[0] != "shutdown":
        return None
    flags = {letter for word in words[1:] if word.startswith("-") and word[1:2] != "-" for letter in word[1:]}
    flags |= {{"--reboot": "r", "--poweroff": "P", "--halt": "H"}.get(word, "") for word in words}
    if "c" in flags:
        return Ending(CANCELLED, 0.0)
    return Ending(REBOOT if "r" in flags else OFF, _seconds(plain[1] if len(plain) > 1 else "+1"))


def _seconds(when: str) -> float:
    """``now``, ``0`` or ``+MINUTES``; a time of day is refused, because the twin shares its clock with the machine below."""
    if when == "now":
        return 0.0
    if not when.lstrip("+").isdigit():
        raise ValueError(f"Failed to parse time specification: {when}")
    return 60.0 * int(when.lstrip("+"))
