"""grubby of a twin node: shows and changes entries of the boot loader, with the options and output of grubby-bls (rhboot/grubby, EL 9).

Source: rhboot/grubby, grubby-bls (EL 9).
"""

from __future__ import annotations

import os
import sys

from . import bls

SETTINGS = "etc/default/grub"
VALUES = ("args", "remove-args", "update-kernel", "info", "set-default", "set-default-index", "remove-kernel")
QUESTIONS = ("default-kernel", "default-index", "default-title")


def main() -> int:
    """Entry point."""
    try:
        options = _options(sys.argv[1:])
        return _run(options)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1


def _options(words: list[str]) -> dict[str, str]:
    if not words:
        raise ValueError("no action specified")
    options, rest = dict[str, str](), iter(words)
    for word in rest:
        key, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or key not in (*VALUES, *QUESTIONS, "grub2", "bad-image-okay"):
            raise ValueError(f'grubby: unrecognized option "{word}"')
        options[key] = value if equals or key not in VALUES else next(rest, "")
    return options


def _run(options: dict[str, str]) -> int:
    every = bls.entries("/")
    current = bls.default("/")
    for question in QUESTIONS:
        if question in options and current:
            number = [entry.name for entry in every].index(current.name)
            print({"default-kernel": _boot(current["linux"]), "default-index": number}.get(question, current["title"]))
    if "info" in options:
        for number, entry in _matching_entries(options["info"], every, current):
            print(_entry_text(number, entry))
    for key in ("set-default", "set-default-index"):
        if key in options:
            _set_default(*_matching_entries(options[key], every, current)[0])
    if "remove-kernel" in options:
        for _, entry in _matching_entries(options["remove-kernel"], every, current):
            os.unlink(entry.path)
    if "update-kernel" in options:
        _update(options, _matching_entries(options["update-kernel"], every, current))
    return 0


def _matching_entries(word: str, every: list[bls.Entry], current: bls.Entry | None) -> list[tuple[int, bls.Entry]]:
    """The entries that `word` names: ALL, DEFAULT, a number, a path of a kernel, TITLE=... ; ValueError without any."""
    numbered = list(enumerate(every))
    if word == "ALL":
        return numbered
    selected = [
        (number, entry)
        for number, entry in numbered
        if (word == "DEFAULT" and current and entry.name == current.name)
        or word in (str(number), _boot(entry["linux"]), entry["linux"], f"TITLE={entry['title']}")
    ]
    if not selected:
        raise ValueError(f"The param {word} is incorrect")
    return selected


def _boot(path: str) -> str:
    return f"/boot{path}"


def _entry_text(number: int, entry: bls.Entry) -> str:
    words = entry["options"].split()
    root = next((word.partition("=")[2] for word in words if word.startswith("root=")), "")
    arguments = " ".join(word for word in words if not word.startswith("root="))
    values = {"kernel": _boot(entry["linux"]), "args": arguments, "root": root, "initrd": _boot(entry["initrd"])}
    values |= {"title": entry["title"], "id": entry.name}
    return "\n".join([f"index={number}", *(f'{key}="{value}"' for key, value in values.items())])


def _set_default(number: int, entry: bls.Entry) -> None:
    bls.choose("/", saved_entry=entry.name)
    print(f"The default is /{bls.ENTRIES}/{entry.name}.conf with index {number} and kernel {_boot(entry['linux'])}")


def _update(options: dict[str, str], entries: list[tuple[int, bls.Entry]]) -> None:
    """New arguments of entries; with ALL those of kernels to come as well."""
    remove, add = options.get("remove-args", "").split(), options.get("args", "").split()
    for _, entry in entries:
        entry.change(options=changed(entry["options"], remove, add))
    if options["update-kernel"] != "ALL":
        return
    arguments = changed(bls.settings(f"/{SETTINGS}").get("GRUB_CMDLINE_LINUX", ""), remove, add)
    with open(f"/{SETTINGS}", encoding="utf-8") as file:
        lines = [
            f'GRUB_CMDLINE_LINUX="{arguments}"\n' if line.startswith("GRUB_CMDLINE_LINUX=") else line for line in file
        ]
    with open(f"/{SETTINGS}", "w", encoding="utf-8") as file:
        file.writelines(lines)
    if os.path.exists("/etc/kernel/cmdline"):
        text = changed(bls.command_line("/"), remove, add)
        with open("/etc/kernel/cmdline", "w", encoding="utf-8") as file:
            file.write(f"{text}\n")


def changed(arguments: str, remove: list[str], add: list[str]) -> str:
    """`arguments` without those of `remove` (``name`` or ``name=value``), and with `add`, which replace those of the same name."""
    words = [word for word in arguments.split() if word not in remove and word.partition("=")[0] not in remove]
    for word in add:
        name, equals, _ = word.partition("=")
        same = [number for number, present in enumerate(words) if present.partition("=")[0] == name] if equals else []
        if same:
            words[same[0]] = word
            words = [present for number, present in enumerate(words) if number not in same[1:]]
        elif word not in words:
            words.append(word)
    return " ".join(words)
