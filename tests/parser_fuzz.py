"""Gives every parser recorded outputs that were cut, joined, repeated and given other numbers and types: it reads them, or raises ParseError.

``python -m tests.parser_fuzz --inputs 1000000 --seed 7`` (`make fuzz`) shares the inputs out among all collectors; the seed and the number of an input make it again.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import sys
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

from rackwright.base import foreign
from rackwright.collect import collector

CASES = Path(__file__).parent / "cases" / "collectors"
YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
NUMBERS = (
    "0",
    "-1",
    "9" * 5000,
    "9" * 25,
    "1e400",
    "-1e400",
    "nan",
    "inf",
    "NaN",
    "Infinity",
    "\u0661\u0662",
    "²",
    "0x",
    "1_0",
    "N/A",
    "",
)
VALUES = (
    None,
    True,
    0,
    -1,
    10**30,
    1e308,
    math.inf,
    math.nan,
    "",
    "N/A",
    "9" * 5000,
    [],
    [None],
    {},
    {"value": []},
    [[1]],
)
NOISE = (
    "\x00",
    "\ufffd",
    "\x85",
    "\u2028",
    "\r\n",
    "\n",
    "== ",
    "# ",
    "{",
    "}",
    "[",
    "]",
    ":",
    "=",
    "|",
    ",",
    "\t",
    '"',
    "  ",
)


@cache
def recorded(identity: str) -> tuple[str, ...]:
    """Outputs of the recorded cases of a collector."""
    return tuple(
        yaml.load(path.read_text(encoding="utf-8"), Loader=YAML)["output"]
        if path.suffix == ".yaml"
        else path.read_text()
        for path in sorted((CASES / identity).iterdir())
    )


@cache
def readable(identity: str) -> tuple[str, ...]:
    """Those of them that the parser reads."""
    cases = [
        yaml.load(path.read_text(encoding="utf-8"), Loader=YAML) for path in sorted((CASES / identity).glob("*.yaml"))
    ]
    return tuple(case["output"] for case in cases if "evidence" in case)


def mutated(identity: str, chance: random.Random) -> str:
    """A recorded output of a collector with one to four things changed."""
    output = chance.choice(recorded(identity))
    for _ in range(chance.randint(1, 4)):
        output = chance.choice(CHANGES)(output, chance, identity)
    return output


def _cut(output: str, chance: random.Random, _: str) -> str:
    at = chance.randint(0, len(output))
    return output[:at] + output[at + chance.choice((1, 5, 40, 400, len(output))) :]


def _insert(output: str, chance: random.Random, _: str) -> str:
    at = chance.randint(0, len(output))
    return output[:at] + chance.choice(NOISE) + output[at:]


def _join(output: str, chance: random.Random, identity: str) -> str:
    second = chance.choice(recorded(identity))
    return output[: chance.randint(0, len(output))] + second[chance.randint(0, len(second)) :]


def _renumber(output: str, chance: random.Random, _: str) -> str:
    numbers = list(NUMBER.finditer(output))
    if not numbers:
        return output
    match = chance.choice(numbers)
    return output[: match.start()] + chance.choice(NUMBERS) + output[match.end() :]


def _line(output: str, chance: random.Random, _: str) -> str:
    """A line repeated, left out or moved."""
    lines = output.split("\n")
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    line = lines[at] if chance.random() < 0.5 else lines.pop(at)
    return "\n".join([*lines[:to], line, *lines[to:]] if chance.random() < 0.7 else lines)


def _value(output: str, chance: random.Random, _: str) -> str:
    """One value of a JSON document in it has another type."""
    lines = output.split("\n")
    starts = [at for at, line in enumerate(lines) if line.lstrip()[:1] in ("{", "[")]
    if not starts:
        return output
    at = chance.choice(starts)
    for text, rest in (("\n".join(lines[at:]), []), (lines[at], lines[at + 1 :])):
        try:
            document, end = json.JSONDecoder().raw_decode(text.lstrip())
        except ValueError:
            continue
        _retype(document, chance)
        return "\n".join([*lines[:at], json.dumps(document) + text.lstrip()[end:], *rest])
    return output


def _retype(document: Any, chance: random.Random) -> None:
    """Goes down into `document` at random and puts another value where it stops."""
    while document:
        key = chance.choice([*document] if isinstance(document, dict) else range(len(document)))
        if isinstance(document[key], dict | list) and document[key] and chance.random() < 0.85:
            document = document[key]
            continue
        if chance.random() < 0.2:
            del document[key]
        else:
            document[key] = chance.choice(VALUES)
        return


CHANGES = (_cut, _insert, _join, _renumber, _renumber, _line, _value, _value)


def trouble(identity: str, output: str) -> str:
    """What is wrong with how a parser takes `output`; empty when it reads it or refuses it as it may."""
    try:
        record = collector.library()[identity].parse(output)
    except (collector.ParseError, foreign.RefusedAnswerError):
        return ""
    except Exception:
        return traceback.format_exc(limit=-3)
    records = record if isinstance(record, list) else [record]
    return next((f"the record holds {number}" for number in _fractions(records) if not math.isfinite(number)), "")


def _fractions(value: Any) -> Iterator[float]:
    """Every number with a point that a record holds."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, BaseModel):
        yield from _fractions([getattr(value, name) for name in type(value).model_fields])
    elif isinstance(value, dict):
        yield from _fractions([*value, *value.values()])
    elif isinstance(value, list | tuple):
        for member in value:
            yield from _fractions(member)


def main() -> int:
    """1 when a parser raised something else, with the input of the first of each kind in a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    kinds: dict[str, str] = {}
    identities = [name for name in sorted(collector.library()) if arguments.only in ("", name)]
    for number in range(arguments.inputs):
        identity = identities[number % len(identities)]
        output = mutated(identity, random.Random(f"{arguments.seed} {number}"))
        if what := trouble(identity, output):
            kinds.setdefault(
                f"{identity}: " + "\n".join(what.splitlines()[-3:])[-300:],
                f"input {number} of seed {arguments.seed}\n{what}",
            )
    for kind, what in sorted(kinds.items()):
        print(f"{kind.partition(':')[0]}: {what}")
    print(f"{arguments.inputs} inputs of seed {arguments.seed}, {len(kinds)} kinds of trouble")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
