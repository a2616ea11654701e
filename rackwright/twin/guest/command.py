"""Turns Exec lines of a unit into arguments and environment, as systemd.service(5) and systemd.exec(5) describe.

It starts nothing; `process` does.
"""

from __future__ import annotations

import os
import pwd
import shlex

from .unitfile import UnitFile

DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
DIRECTORIES = (
    ("RuntimeDirectory", "/run"),
    ("StateDirectory", "/var/lib"),
    ("CacheDirectory", "/var/cache"),
    ("LogsDirectory", "/var/log"),
    ("ConfigurationDirectory", "/etc"),
)


class Command:
    """One Exec line, ready to run."""

    __slots__ = ("arguments", "ignore_failure", "privileged", "program")

    def __init__(self, line: str, environment: dict[str, str]) -> None:
        flags, rest = _prefixes(line)
        words = _words(rest, environment)
        self.ignore_failure = "-" in flags
        self.privileged = "+" in flags or "!" in flags
        self.program = words[0] if words else ""
        self.arguments = words[1:] if "@" in flags else words


def commands(unit: UnitFile, key: str, environment: dict[str, str]) -> list[Command]:
    """The commands of `key` (``ExecStart``), in order."""
    lines = [part for value in unit.all("Service", key) for part in value.split(" ; ")]
    return [Command(line, environment) for line in lines]


def environment(unit: UnitFile, extra: dict[str, str]) -> dict[str, str]:
    """The environment of a unit: system defaults, Environment=, EnvironmentFile=, then `extra`."""
    result = {"PATH": DEFAULT_PATH, "LANG": "C.UTF-8"}
    user = unit.last("Service", "User")
    if user:
        result.update(_account(user))
    for key, base in DIRECTORIES:
        paths = [os.path.join(base, name.partition(":")[0]) for name in unit.words("Service", key)]
        if paths:
            result[_variable(key)] = ":".join(paths)
    for value in unit.all("Service", "Environment"):
        result.update(word.partition("=")[::2] for word in shlex.split(value) if "=" in word)
    for value in unit.all("Service", "EnvironmentFile"):
        result.update(_environment_file(value))
    return {**result, **extra}


def _variable(key: str) -> str:
    return key.replace("Directory", "").upper() + "_DIRECTORY"


def _account(user: str) -> dict[str, str]:
    try:
        account = pwd.getpwuid(int(user)) if user.isdigit() else pwd.getpwnam(user)
    except KeyError:
        return {"USER": user, "LOGNAME": user}
    return {"USER": account.pw_name, "LOGNAME": account.pw_name, "HOME": account.pw_dir, "SHELL": account.pw_shell}


def _environment_file(value: str) -> dict[str, str]:
    """The assignments of a file; a missing one raises FileNotFoundError unless its name starts with a minus."""
    optional, path = value.startswith("-"), value.lstrip("-")
    if optional and not os.path.exists(path):
        return {}
    result = {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for raw in file:
            line = raw.strip()
            if line and line[0] not in "#;" and "=" in line:
                key, _, text = line.partition("=")
                result[key.strip()] = _unquoted_text(text.strip())
    return result


def _unquoted_text(text: str) -> str:
    if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
        return text[1:-1]
    return text


def _prefixes(line: str) -> tuple[str, str]:
    line = line.strip()
    length = len(line) - len(line.lstrip("@-:+!"))
    return line[:length], line[length:]


def _words(line: str, environment: dict[str, str]) -> list[str]:
    """Words of an Exec line: a word that is just ``$NAME`` splits at blanks, ``${NAME}`` inside a word does not."""
    result: list[str] = []
    for word in shlex.split(line):
        if word.startswith("$") and word[1:].replace("_", "a").isalnum() and not word.startswith("$$"):
            result += shlex.split(environment.get(word[1:], ""))
        else:
            result.append(_braces(word, environment))
    return result


def _braces(word: str, environment: dict[str, str]) -> str:
    result, rest = "", word
    while "${" in rest and "}" in rest.split("${", 1)[1]:
        before, _, after = rest.partition("${")
        name, _, rest = after.partition("}")
        result += before + environment.get(name, "")
    return (result + rest).replace("$$", "$")
