"""``rackwright compat SITE``, or with versions: whether they run together, are supported and are safe, with sources.

Exits 1 if one of the three answers is not yes. The date is today unless ``--as-of`` gives another.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from pydantic import ValidationError

from rackwright import catalog, compat
from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site
from rackwright.compat import CompatibilityAnswer, NodeClass
from rackwright.model.sku import Accelerator
from rackwright.model.software import Bill
from rackwright.model.verdict import Outcome

_T = TypeVar("_T")
VERSIONS = sorted(Bill.model_fields.keys() - {"images", "options", "os"})
QUESTIONS: tuple[compat.Question, ...] = ("runs", "supported", "safe")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, or one option per version; the model; the date; the output format."""
    parser.add_argument("site", metavar="SITE", nargs="?", help="every node class of this site")
    parser.add_argument("--gpu", metavar="SKU", help="accelerator (rackwright catalog list)")
    parser.add_argument("--server", metavar="SKU", help="server, and its accelerator with it")
    parser.add_argument("--image", metavar="NAME", action="append", default=[], help="container image (repeatable)")
    parser.add_argument("--os", metavar="NAME", help="operating system (ubuntu-24.04)")
    parser.add_argument("--module", choices=["open", "proprietary"], help="flavour of the NVIDIA kernel module")
    for field in VERSIONS:
        parser.add_argument(f"--{field.replace('_', '-')}", metavar="VERSION", default="", help=argparse.SUPPRESS)
    parser.add_argument("--as-of", metavar="DATE", help="date for end-of-life checks (default today)")
    parser.add_argument("--rules", action="store_true", help="list every rule with its source instead")
    output.add_format(parser)
    words = ", ".join(f"--{field.replace('_', '-')}" for field in VERSIONS)
    parser.epilog = f"Versions: {words}. Exits 1 unless everything runs, is supported and is safe."


def run(args: argparse.Namespace) -> int:
    """Judge and print."""
    if args.rules:
        _rules(as_json=args.format == "json")
        return ExitCode.PASS
    day = _day(args.as_of)
    judged = [(node_class, _judge(args, node_class, day)) for node_class in _classes(args)]
    questions = [{q: compat.overall_outcome(answers, q) for q in _questions(args, answers)} for _, answers in judged]
    if args.format == "json":
        output.emit(_data(day, judged, questions))
    else:
        print("\n".join(_text(day, judged, questions)))
    good = all(outcome is Outcome.PASS for outcomes in questions for outcome in outcomes.values())
    return ExitCode.PASS if good else ExitCode.PROBLEMS


def _day(text: str | None) -> date:
    try:
        return date.fromisoformat(text) if text else datetime.now(tz=UTC).date()
    except ValueError as error:
        raise UsageError(f"--as-of {text}: not a date; write YYYY-MM-DD") from error


def _classes(args: argparse.Namespace) -> list[NodeClass]:
    versions = {field: getattr(args, field) for field in VERSIONS if getattr(args, field)}
    has_versions = bool(versions or args.image or args.gpu or args.server or args.os or args.module)
    if args.site and has_versions:
        raise UsageError("give a site or versions, not both: the site names its own")
    if args.site:
        loaded = site.load(args)
        parts = loaded.catalog
        return [
            node_class
            for node_class in compat.node_classes(loaded.site, parts.accelerators, parts.servers)
            if node_class.accelerator
        ]
    if not versions and not any(args.image):
        raise UsageError("name a site, or versions to check: rackwright compat --driver 580.173.02 --cuda 13.0")
    return [_single_class(args, versions)]


def _single_class(args: argparse.Namespace, versions: dict[str, Any]) -> NodeClass:
    parts = catalog.load()
    server = _part("--server", args.server, parts.servers)
    accelerator = _part("--gpu", args.gpu or (server.accelerator if server else None), parts.accelerators)
    _check_versions(versions, accelerator)
    options = {"nvidia_driver_flavour": args.module} if args.module else {}
    try:
        bill = Bill(**versions, os=args.os, images=[image for image in args.image if image] or None, options=options)
    except ValidationError as error:
        raise UsageError(f"--os {args.os}: {error.errors()[0]['msg']}") from error
    return NodeClass("versions", bill, accelerator, server)


def _check_versions(versions: Mapping[str, str], accelerator: Accelerator | None) -> None:
    """Raises UsageError for a malformed version, or one that does not apply to the accelerator."""
    foreign = compat.foreign_fields(accelerator) if accelerator else set()
    for field, text in versions.items():
        option = f"--{field.replace('_', '-')} {text}"
        if not text[:1].isdecimal():
            raise UsageError(f"{option}: not a version; write it as in the package (580.173.02)")
        if accelerator and field in foreign:
            raise UsageError(f"{option}: {accelerator.sku} does not use it; leave it out, or name another --gpu")


def _part(option: str, sku: str | None, parts: Mapping[str, _T]) -> _T | None:
    from rackwright.spec.fields import nearest_word

    if sku is None or sku in parts:
        return parts[sku] if sku else None
    guess = nearest_word(sku, list(parts))
    hint = f"did you mean {guess}?" if guess else "rackwright catalog list prints all of them"
    raise UsageError(f"{option} {sku}: the catalog has no such part; {hint}")


def _judge(args: argparse.Namespace, node_class: NodeClass, day: date) -> list[CompatibilityAnswer]:
    answers = compat.judge_bill(node_class.bill, node_class.accelerator, node_class.server, day)
    return answers if args.site else [answer for answer in answers if answer.question != "complete"]


def _questions(args: argparse.Namespace, answers: list[CompatibilityAnswer]) -> tuple[compat.Question, ...]:
    """A site answers all three; single versions those with a matching rule, or at least whether they run."""
    if args.site:
        return QUESTIONS
    judged = {answer.question for answer in answers if answer.outcome is not Outcome.DEGRADED}
    return tuple(q for q in QUESTIONS if q in judged) or ("runs",)


def _data(day: date, judged: list[tuple[NodeClass, list[CompatibilityAnswer]]], questions: list[Any]) -> dict[str, Any]:
    classes = [
        {
            "node_class": node_class.pool,
            "server": node_class.server.sku if node_class.server else None,
            "accelerator": node_class.accelerator.sku if node_class.accelerator else None,
            **{question: str(outcome) for question, outcome in outcomes.items()},
            "answers": [answer.model_dump(mode="json") for answer in answers],
        }
        for (node_class, answers), outcomes in zip(judged, questions, strict=True)
    ]
    return {"as_of": day.isoformat(), "node_classes": classes}


def _text(day: date, judged: list[tuple[NodeClass, list[CompatibilityAnswer]]], questions: list[Any]) -> Iterator[str]:
    yield f"Compatibility as of {day}" + ("" if judged else ": no node class has accelerators")
    for (node_class, answers), outcomes in zip(judged, questions, strict=True):
        yield f"\n{node_class.pool}" + (f" ({node_class.label})" if node_class.server or node_class.accelerator else "")
        yield "  " + ", ".join(f"{question}: {outcome}" for question, outcome in outcomes.items())
        for answer in answers:
            yield from _line(answer)
        for question, outcome in outcomes.items():
            if outcome is Outcome.INCONCLUSIVE and not any(a.question == question for a in answers):
                yield f"  INCONCLUSIVE {question:<10} no rule covers these versions; ask the vendor"


def _line(answer: CompatibilityAnswer) -> Iterator[str]:
    word = "note" if answer.outcome is Outcome.DEGRADED else str(answer.outcome)
    word = word if answer.outcome is Outcome.PASS else word.upper()
    level = "" if answer.level == "read" else f" ({answer.level} source)"
    yield f"  {word:<13}{answer.question:<10} {answer.rule:<26} {answer.subject} {answer.found}: {answer.expected}{level}"
    if answer.outcome is not Outcome.PASS:
        yield f"  {'':<13}because: {answer.says} ({answer.source}, {answer.date})"
        yield f"  {'':<13}next: {answer.next_step}"


def _rules(*, as_json: bool) -> None:
    if as_json:
        output.emit({"tables": {name: table.model_dump(mode="json") for name, table in compat.tables().items()}})
        return
    for name, table in compat.tables().items():
        age = f", to be read again every {table.max_age_days} days" if table.max_age_days else ""
        print(f"{name}: {table.about} (read {table.as_of}{age})")
        for rule in table.rules:
            print(f"  {rule.rule:<28}{rule.question:<10} {rule.says}")
            print(f"  {'':<28}{len(rule.rows)} row{'s' if len(rule.rows) > 1 else ''}; {rule.source}, {rule.date}")
