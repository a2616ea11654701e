"""``rackwright design SITE --fix``: what answers the failed rules, as changes that were built and judged, and all together as a diff.

With ``--apply`` the diff is written into the files of the site.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rackwright import spec
from rackwright.base.durable_file import replace_file
from rackwright.base.errors import ExitCode, OutsideError, UsageError
from rackwright.cli import output
from rackwright.design.remedies import ChangeTerms, FieldChange
from rackwright.design.remedies.expense import Expense
from rackwright.flow import site_fix
from rackwright.flow.site_fix import Alternative, RuleAnswers, SiteFix
from rackwright.model.site import Site
from rackwright.spec.edit import value_text

ON = {ChangeTerms.BUILDING: "if the building can", ChangeTerms.PROMISE: "the site promises less"}
COUNTED = "Money is what declared prices say over the years of the site, and what a building costs per watt that its feeds carry (cost reference)."
BYTE_ORDER_MARK = "\ufeff"


def run(loaded: spec.LoadedSite, *, take: Sequence[int], apply: bool, as_json: bool) -> int:
    """Propose, print, and with `apply` write; exits 1 if a rule fails (still)."""
    fix = site_fix.propose(loaded, take)
    offered = {option.number for answers in fix.answers for option in answers.alternatives}
    if unknown := sorted(set(take) - offered):
        listed = f"there are 1 to {max(offered)}" if offered else "there is none"
        raise UsageError(f"--take {unknown[0]}: no alternative has this number; {listed}")
    if apply:
        _write(fix)
    diff = "".join(_diff(fix.before, fix.texts))
    if as_json:
        output.emit(_plain(loaded.site.site, fix, diff, applied=apply and bool(fix.texts)))
    else:
        output.print_lines(_lines(loaded.site, fix))
        print(f"{diff}\n" if diff else "", end="")
        output.print_lines(_outcome(fix, applied=apply))
    failing = fix.remaining if apply else fix.answers
    return ExitCode.PROBLEMS if failing else ExitCode.PASS


def _write(fix: SiteFix) -> None:
    for name, text in fix.texts.items():
        path = Path(name)
        try:
            raw = path.read_bytes().decode("utf-8")
            if raw.removeprefix(BYTE_ORDER_MARK) != fix.before[name]:
                raise OutsideError(f"{path} was changed while its site was judged; run again")
            mark = BYTE_ORDER_MARK if raw.startswith(BYTE_ORDER_MARK) else ""
            replace_file(path, mark + text)
        except OSError as error:
            raise OutsideError(f"{path} cannot be written: {error.strerror}; check its permissions") from error


def _diff(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(after):
        old, new = (text.replace("\r\n", "\n").splitlines(keepends=True) for text in (before[name], after[name]))
        for line in difflib.unified_diff(old, new, name, name):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _plain(name: str, fix: SiteFix, diff: str, *, applied: bool) -> dict[str, Any]:
    rows = [
        {
            "rule": answers.rule,
            "says": answers.says,
            "next_step": answers.next_step,
            "answered": answers.answered,
            "taken": answers.taken.number if answers.taken else None,
            "alternatives": [asdict(option) | {"terms": option.terms.name.lower()} for option in answers.alternatives],
        }
        for answers in fix.answers
    ]
    return {
        "site": name, "built": fix.built, "failed": rows, "changes": [asdict(change) for change in fix.changes], "diff": diff,
        "expense": asdict(fix.expense), "remaining": list(fix.remaining), "applied": applied,
    }  # fmt: skip


def _lines(site: Site, fix: SiteFix) -> Iterator[str]:
    if not fix.answers:
        yield f"{site.site} passes its design rules: there is nothing to change."
        return
    number, currency = len(fix.answers), site.economics.currency
    rules = "1 rule fails" if number == 1 else f"{number} rules fail"
    yield f"{rules} in {site.site}; {fix.built} changed sites were built and judged."
    for answers in fix.answers:
        yield ""
        yield from _rule_lines(answers, currency)
    yield ""


def _rule_lines(answers: RuleAnswers, currency: str) -> Iterator[str]:
    yield answers.rule
    if answers.says:
        yield f"  {answers.says[0]}{f' (and {len(answers.says) - 1} more)' if len(answers.says) > 1 else ''}"
    if answers.answered:
        yield "  answered by the changes above"
    elif not answers.alternatives:
        step = f"; next step: {answers.next_step}" if answers.next_step else ""
        yield f"  none of the changes that were tried answers it{step}"
    for option in answers.alternatives:
        mark = "*" if option is answers.taken else " "
        yield f"{mark} {option.number:>2}  {', '.join(map(_change, option.changes))}"
        yield f"      {_costs(option, currency)}"


def _change(change: FieldChange) -> str:
    return f"{change.field}: {value_text(change.value)}"


def _costs(option: Alternative, currency: str) -> str:
    words = [_expense_text(option.expense, currency)]
    words += [ON[option.terms]] if option.terms in ON else []
    words += (
        [f"{option.remaining} still fail" if option.remaining != 1 else "1 still fails"] if option.remaining else []
    )
    return "; ".join(words)


def _expense_text(expense: Expense, currency: str) -> str:
    figures = [(expense.racks, "rack"), (expense.parts, "part")]
    words = [f"{number:+,} {noun}{'' if abs(number) == 1 else 's'}" for number, noun in figures if number]
    words += [f"{expense.it_kw:+,.1f} kW"] if expense.it_kw else []
    words += [f"{expense.money:+,.0f} {currency}"] if round(expense.money) else []
    return ", ".join(words) or "no racks, parts or power"


def _outcome(fix: SiteFix, *, applied: bool) -> Iterator[str]:
    if not fix.answers:
        return
    if not fix.texts:
        yield "Nothing was changed."
        return
    result = f"{', '.join(fix.remaining)} would fail still" if fix.remaining else "every rule passes with it"
    if applied:
        yield f"Written into {', '.join(sorted(fix.texts))}; {result.replace('would fail', 'fails' if len(fix.remaining) == 1 else 'fail')}."
        return
    yield f"Alternatives marked * are in this change; {result}. --apply writes it, --take N takes another alternative first."
    if round(fix.expense.money):
        yield COUNTED
